import type { Box } from '../../../schema/geometry.ts'
import type { StyleRun, TextLayer, TextStyle, Word } from '../../../schema/text-layer.ts'
import { cleanText } from './clean-text.ts'
import type { ReadLine } from './read-line.ts'
import { append, bold, italic, type Marks, type Span, spanText, subscript, superscript, withLink } from './span.ts'

/** White of more than this part of the type size parts two words that the text layer itself has not put in order. */
const partingGap = 0.15

/** More white than this between two words of code is a column of its own. */
const maxBlanks = 40

/** Makes text of the words of a page's text layer. */
export class WordReader {
  readonly #layer: TextLayer
  readonly #styleMarks: readonly Marks[]
  /** 1 for the first word of each line of the layer: nothing is said of the white before it. */
  readonly #opensLine: Uint8Array

  constructor(layer: TextLayer) {
    this.#layer = layer
    this.#styleMarks = layer.styles.map(marksOf)
    this.#opensLine = new Uint8Array(layer.words.length)
    for (const { first } of layer.lines) this.#opensLine[first] = 1
  }

  /** The words of one printed line, in reading order. Indices that do not exist are passed over. */
  line(indices: readonly number[], box: Box): ReadLine {
    const { words } = this.#layer
    const spans: Span[] = []
    // Most lines are of one look: their text grows here, and becomes a span when the look changes.
    let text = ''
    let marks: Marks = 0
    let before = -1
    for (const index of indices) {
      const word = words[index]
      if (!word) continue
      if (before >= 0 && this.#isSpaced(before, index)) text += ' '
      before = index
      const own = withLink(this.#marks(word.style, word.raised), word.link)
      if (own === marks && !word.runs) {
        text += word.text
        continue
      }
      append(spans, text, marks)
      const last = word.runs ? this.#addRuns(spans, word, word.runs, own) : { text: word.text, marks: own }
      text = last.text
      marks = last.marks
    }
    append(spans, text, marks)
    return finish(spans, box)
  }

  /**
   * The words of one line of code, with as many blanks between them as the white is cells wide: in code the layer's
   * notion of a space is too narrow for some and too wide for others.
   *
   * @param cell width of a character in points.
   */
  codeLine(indices: readonly number[], box: Box, cell: number): ReadLine {
    let text = ''
    let before: Word | undefined
    for (const index of indices) {
      const word = this.#layer.words[index]
      if (!word) continue
      if (before) text += ' '.repeat(Math.min(maxBlanks, Math.max(0, Math.round(whiteBetween(before, word) / cell))))
      text += word.text
      before = word
    }
    text = cleanText(text)
    return { box, text, spans: [{ text, marks: 0 }] }
  }

  /** The median width of a character of monospaced words, in points; undefined when they are not of one width. */
  cellWidth(indices: readonly number[]): number | undefined {
    const widths: number[] = []
    for (const index of indices) {
      const word = this.#layer.words[index]
      if (word && word.text.length > 1 && this.#layer.styles[word.style]?.monospace) widths.push((word.box[2] - word.box[0]) / word.text.length)
    }
    widths.sort((a, b) => a - b)
    const median = widths[widths.length >> 1]
    return median !== undefined && median > 0 ? median : undefined
  }

  /**
   * The layer knows the white between neighbours of one of its lines, in whichever direction they are read.
   * Where the layout has put others side by side their places decide.
   */
  #isSpaced(before: number, index: number): boolean {
    const { words, styles } = this.#layer
    if (index === before + 1 && this.#opensLine[index] === 0) return words[index]?.spaceBefore === true
    if (index === before - 1 && this.#opensLine[before] === 0) return words[before]?.spaceBefore === true
    const [a, b] = [words[before], words[index]]
    return a !== undefined && b !== undefined && whiteBetween(a, b) > partingGap * (styles[b.style]?.sizePt ?? 10)
  }

  /** Raised figures are not emphasised as well: one run of them is one superscript, whatever its letters look like. */
  #marks(style: number, raised: 'super' | 'sub' | undefined): Marks {
    if (raised !== undefined) return raised === 'super' ? superscript : subscript
    return this.#styleMarks[style] ?? 0
  }

  /** Adds a word with changes of look inside, but for its last run, which may go on in the next word. */
  #addRuns(spans: Span[], word: Word, runs: readonly StyleRun[], own: Marks): Span {
    let from = 0
    let marks = own
    for (const run of runs) {
      append(spans, word.text.slice(from, run.start), marks)
      from = run.start
      marks = withLink(this.#marks(run.style, run.raised), word.link)
    }
    return { text: word.text.slice(from), marks }
  }
}

const marksOf = (style: TextStyle): Marks => (style.bold ? bold : 0) | (style.italic ? italic : 0)

/** White between two words along their reading direction, in points. */
function whiteBetween(a: Word, b: Word): number {
  const runsDown = a.vertical === true || Math.abs(Math.sin((a.angle * Math.PI) / 180)) > 0.7
  return runsDown ? Math.max(b.box[1] - a.box[3], a.box[1] - b.box[3]) : Math.max(b.box[0] - a.box[2], a.box[0] - b.box[2])
}

/** Cleans the text; spans are cleaned one by one only when there is something to clean. */
function finish(spans: Span[], box: Box): ReadLine {
  const text = spanText(spans)
  const clean = cleanText(text)
  if (clean === text) return { box, text, spans }
  const cleaned: Span[] = []
  const last = spans.at(-1)
  for (const span of spans) append(cleaned, span === last ? cleanText(span.text) : cleanText(`${span.text}.`).slice(0, -1), span.marks)
  return { box, text: spanText(cleaned), spans: cleaned }
}
