import type { BlankRun } from './column-profile.ts'
import { blankRuns, columnInk } from './column-profile.ts'
import type { ReadCharacter } from './ctc.ts'
import type { LineTensor } from './recognizer-input.ts'

/** Pixels of the 48 px high line: letters of one word are seldom further apart, words of one line seldom closer. */
const minWordGap = 9
/** A word gap is at least so many usual letter gaps, plus a margin: keeps typewriter and letter-spaced lines whole. */
const letterGaps = 1.8
const letterGapMargin = 3
/** … and not much narrower than the gaps at which the model itself wrote spaces. */
const shareOfWrittenGaps = 0.7
/** Figures are set at one width: a 1 has wide gaps on both sides. */
const betweenDigits = 1.6

/** Scripts whose words are set apart by spaces. Chinese and Japanese are not; their full-width marks carry a gap of their own. */
const spacedScript = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Nd}]$/u
const spacedMark = /^[\u0021-\u007e\u2018-\u201f\u2013\u2014\u2026]$/u
/** Marks that cling to the character before them, or to the one behind: gaps there mean nothing. */
const clingsLeft = /^[.,;:!?)\]}%'"\u2019\u201d\u2026/@_-]$/u
const clingsRight = /^[([{'"\u2018\u201c/@#$_-]$/u

interface Pair {
  /** Index of the left character in the list of characters that are no spaces. */
  readonly left: number
  readonly from: number
  readonly to: number
  readonly written: boolean
  /** A space may be missing here … */
  readonly open: boolean
  /** … if the gap is so many times the line's word gap. */
  readonly factor: number
}

/**
 * The text of a line with the spaces that the recogniser missed. A recogniser trained mostly on Chinese glues Latin words
 * when they stand close; the picture shows the gaps. Blank columns are matched to neighbouring characters by the time
 * steps of the CTC decoder; what counts as a word gap is decided from the line's own letter gaps and written spaces.
 */
export function lineText(read: readonly ReadCharacter[], line: LineTensor, steps: number): string {
  const plain = read
    .map((character) => character.text)
    .join('')
    .trim()
  const pairs = neighbours(read, line.width / steps)
  if (!pairs.some((pair) => pair.open)) return plain
  const missed = missedSpaces(pairs, blankRuns(columnInk(line)), line.width / steps)
  if (missed.size === 0) return plain
  let text = ''
  let index = -1
  for (const character of read) {
    if (character.text === ' ') {
      text += ' '
      continue
    }
    index++
    text += missed.has(index) ? `${character.text} ` : character.text
  }
  return text.trim()
}

function neighbours(read: readonly ReadCharacter[], stepWidth: number): Pair[] {
  const pairs: Pair[] = []
  let previous: ReadCharacter | undefined
  let left = -1
  let written = false
  for (const character of read) {
    if (character.text === ' ') {
      written = true
      continue
    }
    if (previous) {
      const open = !written && mayPart(previous.text, character.text)
      pairs.push({
        left,
        from: (previous.step + 0.5) * stepWidth,
        to: (character.step + 0.5) * stepWidth,
        written,
        open,
        factor: isDigit(previous.text) && isDigit(character.text) ? betweenDigits : 1,
      })
    }
    previous = character
    left++
    written = false
  }
  return pairs
}

const isDigit = (text: string): boolean => /^\p{Nd}$/u.test(text)

function mayPart(left: string, right: string): boolean {
  const known = (text: string) => spacedScript.test(text) || spacedMark.test(text)
  if (!known(left) || !known(right) || !(spacedScript.test(left) || spacedScript.test(right))) return false
  return !clingsLeft.test(right) && !clingsRight.test(left)
}

/** Indices of the characters behind which a space is missing. Each gap of the picture serves one pair, written spaces first. */
function missedSpaces(pairs: readonly Pair[], runs: readonly BlankRun[], stepWidth: number): Set<number> {
  const gaps = new Map<Pair, number>()
  const taken = new Set<BlankRun>()
  for (const pair of pairs.filter((candidate) => candidate.written)) assign(pair, widestWithin(pair, runs, taken, stepWidth))
  for (const pair of pairs.filter((candidate) => !candidate.written)) assign(pair, widestWithin(pair, runs, taken, stepWidth / 2))

  function assign(pair: Pair, run: BlankRun | undefined): void {
    if (run) taken.add(run)
    gaps.set(pair, run ? run.to - run.from : 0)
  }
  const of = (written: boolean) => pairs.filter((pair) => pair.written === written).map((pair) => gaps.get(pair) ?? 0)
  const threshold = Math.max(minWordGap, middle(of(false)) * letterGaps + letterGapMargin, middle(of(true)) * shareOfWrittenGaps)
  return new Set(pairs.filter((pair) => pair.open && (gaps.get(pair) ?? 0) > threshold * pair.factor).map((pair) => pair.left))
}

function widestWithin(pair: Pair, runs: readonly BlankRun[], taken: ReadonlySet<BlankRun>, reach: number): BlankRun | undefined {
  let widest: BlankRun | undefined
  for (const run of runs) {
    const center = (run.from + run.to) / 2
    if (center < pair.from - reach || taken.has(run)) continue
    if (center > pair.to + reach) break
    if (!widest || run.to - run.from > widest.to - widest.from) widest = run
  }
  return widest
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
