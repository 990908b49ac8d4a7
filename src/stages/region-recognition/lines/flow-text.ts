import { type JoinOptions, joinOf } from '../../../text/join-lines.ts'
import type { ReadLine } from './read-line.ts'
import { append, dropEnd, type Span, spanText } from './span.ts'

/** The lines of a block as running text, with U+00AD where a hyphen at a line end was taken out. */
export interface FlowText {
  readonly text: string
  readonly spans: readonly Span[]
}

/**
 * Joins printed lines: blanks or none by script, hyphenation repaired, which a soft hyphen marks. One hyphen that ends the last line
 * becomes a visible one: the rest of the word stands elsewhere.
 */
export function flowText(lines: readonly ReadLine[], options: JoinOptions = {}): FlowText {
  const first = lines[0]
  if (lines.length === 1 && first) return endVisibly(first.text, first.spans)
  const spans: Span[] = []
  const parts: string[] = []
  let before: ReadLine | undefined
  for (const line of lines) {
    if (line.text === '') continue
    if (before) joinLine(parts, spans, before, line, options)
    parts.push(line.text)
    for (const span of line.spans) append(spans, span.text, span.marks)
    before = line
  }
  return endVisibly(spans.length === 1 ? spanText(spans) : parts.join(''), spans)
}

/** Puts what belongs between two lines at the end of what is there. */
function joinLine(parts: string[], spans: Span[], before: ReadLine, line: ReadLine, options: JoinOptions): void {
  // An address may run over several lines: a line without a blank is seen with what stands before it.
  const tail = before.text.includes(' ') ? before.text : parts.join('').slice(-addressLength)
  const { drop, glue } = joinOf(tail, line.text, options)
  if (drop > 0) {
    dropEnd(spans, drop)
    parts.push((parts.pop() ?? '').slice(0, -drop))
  }
  const between = drop > 0 ? softHyphen : glue
  if (between === '') return
  parts.push(between)
  const last = spans[spans.length - 1]
  if (last) last.text += between
}

/** Longer addresses are not followed over lines. */
const addressLength = 400

const softHyphen = '\u00ad'

function endVisibly(text: string, spans: readonly Span[]): FlowText {
  if (!text.endsWith(softHyphen)) return { text, spans }
  const last = spans.at(-1)
  const shown = last ? [...spans.slice(0, -1), { text: printed(last.text), marks: last.marks }] : spans
  return { text: printed(text), spans: shown }
}

/** A line as a reader sees it: its soft hyphen is a hyphen. */
export const printed = (text: string): string => (text.endsWith(softHyphen) ? `${text.slice(0, -1)}-` : text)
