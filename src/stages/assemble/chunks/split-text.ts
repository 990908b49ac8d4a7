import { endsSentence } from '../../../text/sentence-end.ts'
import { estimateTokens } from './token-estimate.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** A stretch of a text: `[from, to)` in UTF-16 units. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** The sentences of a text, white space behind them included; abbreviations and initials do not end one. */
export function sentences(text: string): Stretch[] {
  const found: Stretch[] = []
  let from = 0
  for (const { segment, index } of segmenter.segment(text)) {
    const to = index + segment.length
    if (!endsSentence(text.slice(Math.max(from, to - 200), to)) && !segment.endsWith('\n')) continue
    found.push({ from, to })
    from = to
  }
  if (from < text.length) found.push({ from, to: text.length })
  return found
}

/**
 * Cuts a text into stretches of at most `budget` tokens, at ends of sentences; a sentence over the budget is cut
 * between words, a word over it between characters. Stretches are about equally long.
 */
export function splitText(text: string, budget: number): Stretch[] {
  const total = estimateTokens(text)
  if (total <= budget) return [{ from: 0, to: text.length }]
  const target = total / Math.ceil(total / budget)
  const atoms = sentences(text).flatMap((s) => smaller(text, s, budget))
  const out: { from: number; to: number }[] = []
  let tokens = 0
  for (const atom of atoms) {
    const own = estimateTokens(text.slice(atom.from, atom.to))
    const last = out.at(-1)
    if (last && tokens + own <= budget && tokens < target) {
      last.to = atom.to
      tokens += own
    } else {
      out.push({ ...atom })
      tokens = own
    }
  }
  return out
}

/** A sentence as it is, or its words packed into stretches within the budget. */
function smaller(text: string, stretch: Stretch, budget: number): Stretch[] {
  if (estimateTokens(text.slice(stretch.from, stretch.to)) <= budget) return [stretch]
  const out: Stretch[] = []
  let from = stretch.from
  let tokens = 0
  for (const word of words(text, stretch, budget)) {
    const own = estimateTokens(text.slice(word.from, word.to))
    if (tokens + own > budget && word.from > from) {
      out.push({ from, to: word.from })
      from = word.from
      tokens = 0
    }
    tokens += own
  }
  out.push({ from, to: stretch.to })
  return out
}

/** Words with the white space behind them; long runs without any are cut by characters, never inside a surrogate pair. */
function* words(text: string, { from, to }: Stretch, budget: number): Generator<Stretch> {
  const step = Math.max(1, Math.min(budget, 64))
  let start = from
  for (let i = from; i < to; i++) {
    const atEnd = /\s/.test(text.charAt(i)) && !/\s/.test(text.charAt(i + 1))
    const tooLong = i + 1 - start >= step && !isHighSurrogate(text.charCodeAt(i))
    if (atEnd || tooLong) {
      yield { from: start, to: i + 1 }
      start = i + 1
    }
  }
  if (start < to) yield { from: start, to }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
