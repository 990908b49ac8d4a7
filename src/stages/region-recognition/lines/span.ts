/**
 * How a run of characters looks, as bits: bold 1, italic 2, superscript 4, subscript 8; the link's index
 * plus one, times 16, on top. One number, because every word of every page carries one.
 */
export type Marks = number
export const bold = 1
export const italic = 2
export const superscript = 4
export const subscript = 8
export const emphasis = bold | italic
export const raised = superscript | subscript
const linkShift = 4

export const withLink = (marks: Marks, link: number | undefined): Marks => (link === undefined ? marks : marks | ((link + 1) << linkShift))

/** Index of the link, -1 for none. */
export const linkOf = (marks: Marks): number => (marks >> linkShift) - 1

/** Characters of one look that follow each other. */
export interface Span {
  text: string
  readonly marks: Marks
}

/** The text of all spans. */
export function spanText(spans: readonly Span[]): string {
  if (spans.length === 1) return spans[0]?.text ?? ''
  let text = ''
  for (const span of spans) text += span.text
  return text
}

/** Appends text, to the last span where it looks alike. */
export function append(spans: Span[], text: string, marks: Marks): void {
  if (text === '') return
  const last = spans[spans.length - 1]
  if (last && last.marks === marks) last.text += text
  else spans.push({ text, marks })
}

/** Takes characters off the end. */
export function dropEnd(spans: Span[], count: number): void {
  let left = count
  while (left > 0) {
    const last = spans.at(-1)
    if (!last) return
    const taken = Math.min(left, last.text.length)
    last.text = last.text.slice(0, last.text.length - taken)
    if (last.text === '') spans.pop()
    left -= taken
  }
}

/** The spans without their first `count` characters. */
export function withoutStart(spans: readonly Span[], count: number): Span[] {
  const rest: Span[] = []
  let left = count
  for (const span of spans) {
    if (left >= span.text.length) left -= span.text.length
    else {
      rest.push({ text: span.text.slice(left), marks: span.marks })
      left = 0
    }
  }
  return rest
}
