import { joinOf } from '../../../text/join-lines.ts'
import type { ReadLine } from './read-line.ts'
import { append, dropEnd, type Span } from './span.ts'

/** The lines of a block as running text. */
export interface FlowText {
  readonly text: string
  readonly spans: readonly Span[]
}

/**
 * Joins printed lines: blanks or none by script, hyphenation repaired. A soft hyphen that ends the last line
 * becomes a visible one: the rest of the word stands elsewhere.
 *
 * @param knows whether a word occurs unbroken on the page.
 */
export function flowText(lines: readonly ReadLine[], knows?: (word: string) => boolean): FlowText {
  const first = lines[0]
  if (lines.length === 1 && first) return endVisibly(first.text, first.spans)
  const spans: Span[] = []
  let text = ''
  let hyphen = false
  for (const line of lines) {
    if (line.text === '') continue
    const join = joinOf(text, line.text, { hyphen, ...(knows ? { knows } : {}) })
    if (join.drop > 0) {
      dropEnd(spans, join.drop)
      text = text.slice(0, -join.drop)
    }
    const last = spans.at(-1)
    if (last && join.glue !== '') last.text += join.glue
    for (const span of line.spans) append(spans, span.text, span.marks)
    text += join.glue + line.text
    hyphen = line.hyphen === true
  }
  return endVisibly(text, spans)
}

function endVisibly(text: string, spans: readonly Span[]): FlowText {
  if (!text.endsWith('\u00ad')) return { text, spans }
  const last = spans.at(-1)
  const shown = last ? [...spans.slice(0, -1), { text: printed(last.text), marks: last.marks }] : spans
  return { text: printed(text), spans: shown }
}

/** A line as a reader sees it: its soft hyphen is a hyphen. */
export const printed = (text: string): string => (text.endsWith('\u00ad') ? `${text.slice(0, -1)}-` : text)
