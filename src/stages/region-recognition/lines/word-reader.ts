import type { Box } from '../../../schema/geometry.ts'
import type { TextLayer, TextStyle, Word } from '../../../schema/text-layer.ts'
import { cleanText } from './clean-text.ts'
import type { ReadLine } from './read-line.ts'
import { append, bold, italic, type Marks, type Span, subscript, superscript, withLink } from './span.ts'

/** White of more than this part of the type size parts two words that the text layer itself has not put in order. */
const partingGap = 0.15

/** Makes text of the words of a page's text layer. */
export class WordReader {
  readonly #layer: TextLayer
  readonly #styleMarks: readonly Marks[]

  constructor(layer: TextLayer) {
    this.#layer = layer
    this.#styleMarks = layer.styles.map(marksOf)
  }

  /** The words of one printed line, in reading order. Indices that do not exist are passed over. */
  line(indices: readonly number[], box: Box): ReadLine {
    const spans: Span[] = []
    let before = -1
    for (const index of indices) {
      const word = this.#layer.words[index]
      if (!word) continue
      if (before >= 0 && this.#isSpaced(before, index, word)) {
        const last = spans.at(-1)
        if (last) last.text += ' '
      }
      this.#addWord(spans, word)
      before = index
    }
    return finish(spans, box, this.#layer.words[before]?.hyphen === true)
  }

  #isSpaced(before: number, index: number, word: Word): boolean {
    if (word.spaceBefore) return true
    const previous = this.#layer.words[before]
    if (!previous) return false
    if (index === before + 1 && previous.baseline === word.baseline) return false
    const size = this.#layer.styles[word.style]?.sizePt ?? 10
    return whiteBetween(previous, word) > partingGap * size
  }

  #addWord(spans: Span[], word: Word): void {
    const base = withLink((this.#styleMarks[word.style] ?? 0) | raisedMark(word.raised), word.link)
    if (!word.runs) {
      append(spans, word.text, base)
      return
    }
    let from = 0
    let marks = base
    for (const run of word.runs) {
      append(spans, word.text.slice(from, run.start), marks)
      from = run.start
      marks = withLink((this.#styleMarks[run.style] ?? 0) | raisedMark(run.raised), word.link)
    }
    append(spans, word.text.slice(from), marks)
  }
}

const marksOf = (style: TextStyle): Marks => (style.bold ? bold : 0) | (style.italic ? italic : 0)
const raisedMark = (mark: 'super' | 'sub' | undefined): Marks => (mark === 'super' ? superscript : mark === 'sub' ? subscript : 0)

/** White between two words along their reading direction, in points. */
function whiteBetween(a: Word, b: Word): number {
  const runsDown = a.vertical === true || Math.abs(Math.sin((a.angle * Math.PI) / 180)) > 0.7
  return runsDown ? Math.max(b.box[1] - a.box[3], a.box[1] - b.box[3]) : Math.max(b.box[0] - a.box[2], a.box[0] - b.box[2])
}

/** Cleans the text; spans are cleaned one by one only when there is something to clean. */
function finish(spans: Span[], box: Box, hyphen: boolean): ReadLine {
  let text = ''
  for (const span of spans) text += span.text
  const clean = cleanText(text)
  if (clean === text) return { box, text, spans, ...(hyphen ? { hyphen } : {}) }
  const cleaned: Span[] = []
  const last = spans.at(-1)
  for (const span of spans) append(cleaned, span === last ? cleanText(span.text) : cleanText(`${span.text}.`).slice(0, -1), span.marks)
  return { box, text: cleaned.map((span) => span.text).join(''), spans: cleaned, ...(hyphen ? { hyphen } : {}) }
}
