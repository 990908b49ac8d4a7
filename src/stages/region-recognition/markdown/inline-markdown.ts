import { escapeLinkTarget, escapePart } from '../../../text/markdown-escape.ts'
import { append, bold, emphasis, italic, linkOf, raised, type Span, spanText, superscript } from '../lines/span.ts'

export interface InlineOptions {
  /** Targets of the links that spans name; undefined for one that must not be followed. */
  readonly links: readonly (string | undefined)[]
  /** Headings are emphasised as they are: no `**` in them. */
  readonly plain?: boolean
  /** Whether the text stands where a line of Markdown begins. Default true. */
  readonly lineStart?: boolean
}

/**
 * Spans as a line of Markdown: emphasis, superscripts as `<sup>`, links. Without its marks the result is the text.
 * Emphasis is put around letters and figures only, so that its marks always open and close (CommonMark 6.2),
 * whatever punctuation stands around them.
 */
export function inlineMarkdown(spans: readonly Span[], options: InlineOptions): string {
  const text = spanText(spans)
  const lineStart = options.lineStart ?? true
  if (spans.every((span) => isPlain(span, options))) return escapePart(text, 0, text.length, { lineStart })
  const writer = new Writer(text, options, lineStart)
  for (let i = 0; i < spans.length; ) {
    const span = spans[i]
    if (!span) break
    const link = linkTarget(span, options)
    let end = i + 1
    // A link that runs over two lines is two links in the file.
    if (link !== undefined) while (hasTarget(spans[end], link, options)) end++
    if (link === undefined) writer.span(span, false)
    else writer.link(withoutLinks(spans.slice(i, end)), link)
    i = end
  }
  return writer.out
}

const linkTarget = ({ marks }: Span, { links }: InlineOptions): string | undefined => {
  const index = linkOf(marks)
  return index < 0 ? undefined : links[index]
}

const hasTarget = (span: Span | undefined, target: string, options: InlineOptions): boolean => span !== undefined && linkTarget(span, options) === target

const isPlain = (span: Span, options: InlineOptions): boolean =>
  span.marks === 0 || ((span.marks & raised) === 0 && (options.plain === true || (span.marks & emphasis) === 0) && linkTarget(span, options) === undefined)

/** Spans of one link, of one look where they look alike. */
function withoutLinks(spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const { text, marks } of spans) append(merged, text, marks & (emphasis | raised))
  return merged
}

const edge = /[\p{L}\p{N}]/u

const brackets: Readonly<Record<string, string>> = { ')': '(', ']': '[' }

class Writer {
  out = ''
  readonly #text: string
  readonly #options: InlineOptions
  readonly #lineStart: boolean
  #at = 0
  /** Where the last emphasis closed: another must not open right there. */
  #closedAt = -1

  constructor(text: string, options: InlineOptions, lineStart: boolean) {
    this.#text = text
    this.#options = options
    this.#lineStart = lineStart
  }

  link(spans: readonly Span[], target: string): void {
    const text = spanText(spans)
    const lead = text.length - text.trimStart().length
    const end = this.#at + text.length
    if (lead === text.length) {
      this.#copy(end, false)
      return
    }
    this.#copy(this.#at + lead, false)
    if (this.out.endsWith('!')) this.out = `${this.out.slice(0, -1)}\\!`
    this.out += '['
    const stop = end - (text.length - text.trimEnd().length)
    for (const span of clip(spans, lead, stop - end)) this.span(span, true)
    this.out += `](${escapeLinkTarget(target)})`
    this.#copy(end, false)
  }

  span({ text, marks }: Span, inLink: boolean): void {
    const end = this.#at + text.length
    if (marks & raised) {
      this.#raised(end, marks & superscript ? 'sup' : 'sub', inLink)
      return
    }
    const mark = this.#options.plain ? '' : emphasisMark(marks)
    const [from, to] = mark === '' ? [end, end] : this.#letters(this.#at, end)
    if (from < to && from !== this.#closedAt) {
      this.#copy(from, inLink)
      this.out += mark
      this.#copy(to, inLink)
      this.out += mark
      this.#closedAt = to
    }
    this.#copy(end, inLink)
  }

  #raised(end: number, tag: string, inLink: boolean): void {
    const part = this.#text.slice(this.#at, end)
    if (part.trim() !== '') {
      this.#copy(this.#at + part.length - part.trimStart().length, inLink)
      this.out += `<${tag}>`
      this.#copy(end - (part.length - part.trimEnd().length), inLink, true)
      this.out += `</${tag}>`
    }
    this.#copy(end, inLink)
  }

  /** The range without what is neither letter nor figure at its ends, but for a bracket that closes one inside; empty when nothing is left. */
  #letters(from: number, end: number): [number, number] {
    let [a, b] = [from, end]
    while (a < b && !edge.test(characterAt(this.#text, a))) a++
    while (b > a && !edge.test(characterBefore(this.#text, b))) b--
    const bracket = brackets[this.#text.charAt(b)]
    if (a < b && b < end && bracket && this.#text.slice(a, b).includes(bracket) && !edge.test(characterAt(this.#text, b + 1))) b++
    return [a, b]
  }

  #copy(to: number, inLink: boolean, inTag = false): void {
    if (to <= this.#at) return
    this.out += escapePart(this.#text, this.#at, to, { lineStart: this.#lineStart, inLink, inTag })
    // Before a mark a backslash would take its meaning away.
    if (this.#text[to - 1] === '\\' && trailingBackslashes(this.out) % 2 === 1) this.out += '\\'
    this.#at = to
  }
}

function trailingBackslashes(text: string): number {
  let count = 0
  while (text.charCodeAt(text.length - 1 - count) === 0x5c) count++
  return count
}

const emphasisMark = (marks: number): string => (marks & bold ? '**' : '') + (marks & italic ? '*' : '')

/** Whole code points, so that letters beyond the BMP count. */
const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0x20)
function characterBefore(text: string, end: number): string {
  const unit = text.charCodeAt(end - 1)
  return unit >= 0xdc00 && unit <= 0xdfff && end > 1 ? characterAt(text, end - 2) : text.charAt(end - 1)
}

/** The spans without their first `lead` and their last `-trail` characters. */
function clip(spans: readonly Span[], lead: number, trail: number): Span[] {
  const clipped = spans.map((span) => ({ ...span }))
  const first = clipped[0]
  const last = clipped.at(-1)
  if (first) first.text = first.text.slice(lead)
  if (last && trail < 0) last.text = last.text.slice(0, trail)
  return clipped.filter((span) => span.text !== '')
}
