import { joinOf } from '../../../text/join-lines.ts'
import type { ReadLine } from './read-line.ts'
import { append, dropEnd, type Span, spanText } from './span.ts'

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
  const parts: string[] = []
  let before: ReadLine | undefined
  for (const line of lines) {
    if (line.text === '') continue
    if (before) joinLine(parts, spans, before, line, knows)
    parts.push(line.text)
    for (const span of line.spans) append(spans, span.text, span.marks)
    before = line
  }
  return endVisibly(spans.length === 1 ? spanText(spans) : parts.join(''), spans)
}

/** Puts what belongs between two lines at the end of what is there. */
function joinLine(parts: string[], spans: Span[], before: ReadLine, line: ReadLine, knows: ((word: string) => boolean) | undefined): void {
  // An address may run over several lines: a line without a blank is seen with what stands before it.
  const tail = before.text.includes(' ') ? before.text : parts.join('').slice(-addressLength)
  const { drop, glue } = joinOf(tail, line.text, { hyphen: before.hyphen === true, ...(knows ? { knows } : {}) })
  if (drop > 0) {
    dropEnd(spans, drop)
    parts.push((parts.pop() ?? '').slice(0, -drop))
  }
  if (glue === '') return
  parts.push(glue)
  const last = spans[spans.length - 1]
  if (last) last.text += glue
}

/** Longer addresses are not followed over lines. */
const addressLength = 400

function endVisibly(text: string, spans: readonly Span[]): FlowText {
  if (!text.endsWith('\u00ad')) return { text, spans }
  const last = spans.at(-1)
  const shown = last ? [...spans.slice(0, -1), { text: printed(last.text), marks: last.marks }] : spans
  return { text: printed(text), spans: shown }
}

/** A line as a reader sees it: its soft hyphen is a hyphen. */
export const printed = (text: string): string => (text.endsWith('\u00ad') ? `${text.slice(0, -1)}-` : text)
