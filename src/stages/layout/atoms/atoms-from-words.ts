import { turnBox } from '../../../geometry/turn.ts'
import type { PointBox, TextLayer, Word } from '../../../schema/text-layer.ts'
import { StyleTally } from '../../style-tally.ts'
import type { Atom } from '../page-geometry.ts'
import { type Gap, gutterGaps, type Run, suspectGapEm, wideGapEm } from './gaps.ts'
import { readingTurn } from './reading-turn.ts'

/**
 * Cuts the lines of a text layer into atoms: at gaps too wide for a space, and at narrower ones that continue
 * through several lines and so are the white between columns. Atoms come in content order.
 *
 * @param wanted indices of the words to take, each ends in exactly one atom.
 */
export function atomsFromWords(layer: TextLayer, wanted: readonly number[]): Atom[] {
  const take = new Uint8Array(layer.words.length)
  for (const i of wanted) take[i] = 1
  const lines: LineOfWords[] = []
  for (const line of layer.lines) {
    const words: number[] = []
    for (let i = line.first; i < line.first + line.count; i++) {
      if (take[i] === 1) {
        words.push(i)
        take[i] = 0
      }
    }
    if (words.length > 0) lines.push(measureLine(layer, words, lines.length))
  }
  // A word that the layer's lines forgot stands alone rather than getting lost.
  for (const i of wanted) if (take[i] === 1) lines.push(measureLine(layer, [i], lines.length))
  const suspects: Gap[] = []
  for (const line of lines) suspects.push(...line.suspects)
  const gutters =
    suspects.length > 0
      ? gutterGaps(
          suspects,
          lines.flatMap((line, i) => runsOf(layer, line, i)),
        )
      : new Set<Gap>()
  const atoms: Atom[] = []
  for (const line of lines) cutLine(layer, line, gutters, atoms)
  return atoms
}

interface LineOfWords {
  readonly words: readonly number[]
  /** Cuts that are certain: before which word of the line. */
  readonly cuts: readonly number[]
  readonly suspects: readonly Gap[]
}

const none: readonly never[] = []

function measureLine(layer: TextLayer, words: readonly number[], number: number): LineOfWords {
  const whites: number[] = []
  const wide: Gap[] = []
  let before = alongBox(layer, words[0] ?? 0)
  for (let i = 1; i < words.length; i++) {
    const index = words[i] ?? 0
    const box = alongBox(layer, index)
    const em = Math.max(1, sizeOf(layer, index))
    // Right-to-left lines run to smaller x.
    const runsRight = box[0] >= before[0]
    const from = runsRight ? before[2] : box[2]
    const to = runsRight ? box[0] : before[0]
    whites.push(to - from)
    if (to - from > suspectGapEm * em) wide.push({ line: number, before: i, from, to, y: (box[1] + box[3]) / 2, em })
    before = box
  }
  if (wide.length === 0) return { words, cuts: none, suspects: none }
  const ordinary = medianWhite(whites)
  const cuts: number[] = []
  const suspects: Gap[] = []
  for (const gap of wide) {
    const white = gap.to - gap.from
    // The spaces of a justified line are all wide: a cut must stand out among them.
    if (white > wideGapEm * gap.em && white > 1.4 * ordinary) cuts.push(gap.before)
    else if (white > 1.4 * ordinary || whites.length < 3) suspects.push(gap)
  }
  return { words, cuts, suspects }
}

/** The line cut at every gap that might be a cut. */
function runsOf(layer: TextLayer, line: LineOfWords, number: number): Run[] {
  const at = new Set([...line.cuts, ...line.suspects.map((gap) => gap.before)])
  const runs: Run[] = []
  let [from, to, y] = [Infinity, -Infinity, 0]
  for (const [i, index] of line.words.entries()) {
    if (at.has(i) && to > from) {
      runs.push({ line: number, from, to, y })
      from = Infinity
      to = -Infinity
    }
    const box = alongBox(layer, index)
    from = Math.min(from, box[0])
    to = Math.max(to, box[2])
    y = (box[1] + box[3]) / 2
  }
  runs.push({ line: number, from, to, y })
  return runs
}

/** The median of the spaces between words, which are sorted; 0 when a line has fewer than three: too few to know what is usual. */
function medianWhite(whites: number[]): number {
  if (whites.length < 3) return 0
  whites.sort((a, b) => a - b)
  return Math.max(0, whites[(whites.length - 1) >> 1] ?? 0)
}

function cutLine(layer: TextLayer, line: LineOfWords, gutters: ReadonlySet<Gap>, atoms: Atom[]): void {
  if (line.cuts.length === 0 && line.suspects.length === 0) {
    atoms.push(wordsAtom(layer, line.words))
    return
  }
  const at = new Set(line.cuts)
  for (const gap of line.suspects) if (gutters.has(gap)) at.add(gap.before)
  let from = 0
  for (let i = 1; i <= line.words.length; i++) {
    if (i < line.words.length && !at.has(i)) continue
    atoms.push(wordsAtom(layer, line.words.slice(from, i)))
    from = i
  }
}

/** Words of one direction as an atom. At least one word. */
export function wordsAtom(layer: Pick<TextLayer, 'words' | 'styles'>, words: readonly number[]): Atom {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  const tally = new StyleTally()
  const baselines: number[] = []
  let isLevel = true
  let text = ''
  let first: Word | undefined
  for (const index of words) {
    const word = layer.words[index]
    if (!word) continue
    first ??= word
    const [a, b, c, d] = word.box
    if (a < x0) x0 = a
    if (b < y0) y0 = b
    if (c > x1) x1 = c
    if (d > y1) y1 = d
    tally.add(word.style, word.text.length * (word.raised ? 0.1 : 1))
    if (word.raised === undefined) {
      isLevel &&= baselines.length === 0 || baselines[0] === word.baseline
      baselines.push(word.baseline)
    }
    if (text !== '' && word.spaceBefore) text += ' '
    text += word.text
  }
  const style = layer.styles[tally.most()]
  if (!isLevel) baselines.sort((a, b) => a - b)
  return {
    box: [x0, y0, x1, y1],
    baseline: baselines[baselines.length >> 1] ?? first?.baseline ?? y1,
    sizePt: style?.sizePt ?? 10,
    angle: first?.angle ?? 0,
    vertical: first?.vertical === true,
    words,
    text,
    ...(style ? { style } : {}),
  }
}

const sizeOf = (layer: TextLayer, word: number): number => layer.styles[layer.words[word]?.style ?? -1]?.sizePt ?? 10

/** The word's box with its reading direction running left to right. */
function alongBox(layer: TextLayer, index: number): PointBox {
  const word = layer.words[index]
  if (!word) return [0, 0, 0, 0]
  if (word.angle === 0 && word.vertical !== true) return word.box
  const turn = readingTurn(word.angle, word.vertical === true)
  return turn === 0 ? word.box : turnBox(word.box, layer.width, layer.height, turn)
}
