export interface EscapeOptions {
  /** The text stands at the start of a line, where `#`, `1.`, `- ` and the like are syntax. Default true. */
  readonly lineStart?: boolean
  /** The text stands in a cell of a pipe table: `|` is syntax. */
  readonly inTable?: boolean
  /** The text stands inside the brackets of a link: `[` and `]` are syntax. */
  readonly inLink?: boolean
  /** The text stands between tags: no blank beside it keeps a star or underscore from being syntax. */
  readonly inTag?: boolean
}

/** Any character that may need a backslash; without one the text is left alone. */
const suspicious = /[\\`*_[\]<&|~#>+\-=.)!\n]/

/**
 * Text as Markdown that renders to exactly that text (CommonMark with GitHub's tables, strike-through
 * and task lists), with as few backslashes as that takes: `snake_case`, `[12]`, `a < b` and `R&D` stay as they are.
 */
export function escapeMarkdown(text: string, options: EscapeOptions = {}): string {
  return escapePart(text, 0, text.length, options)
}

/** As `escapeMarkdown` for the characters `from` .. `to` of a text whose neighbouring parts are written beside them. */
export function escapePart(text: string, from: number, to: number, options: EscapeOptions = {}): string {
  const part = from === 0 && to === text.length ? text : text.slice(from, to)
  if (!suspicious.test(part)) return part
  let out = ''
  let copied = from
  let lineStart = options.lineStart ?? true
  let escapeAt = -1
  if (from > 0) lineStart = text.charCodeAt(from - 1) === 0x0a
  for (let i = from; i < to; i++) {
    if (lineStart) {
      lineStart = false
      escapeAt = lineStartEscape(text, i)
    }
    if (text.charCodeAt(i) === 0x0a) lineStart = true
    else if (i === escapeAt || needsEscape(text, i, options)) {
      out += `${text.slice(copied, i)}\\`
      copied = i
    }
  }
  return out + text.slice(copied, to)
}

const whiteSpace = /\s/u
const punctuation = /[!-/:-@[-`{-~]/
const wordCharacter = /[\p{L}\p{N}]/u

/** Whether the character at `i` is syntax wherever it stands in a line. */
function needsEscape(text: string, i: number, { inTable, inLink, inTag }: EscapeOptions): boolean {
  const next = text[i + 1] ?? ''
  switch (text[i]) {
    case '`':
      return true
    case '\\':
      return next === '' || next === '\n' || punctuation.test(next)
    case '*':
      return inTag === true || !(isBlank(text[i - 1]) && isBlank(text[i + 1]))
    case '_':
      // Between two letters or figures GitHub and CommonMark take it literally.
      return inTag === true || (!(wordCharacter.test(text[i - 1] ?? '') && wordCharacter.test(next)) && !(isBlank(text[i - 1]) && isBlank(text[i + 1])))
    case '~':
      return !(isBlank(text[i - 1]) && isBlank(text[i + 1])) && text.indexOf('~') !== text.lastIndexOf('~')
    case '[':
      return inLink === true || next === '^'
    case ']':
      return inLink === true || next === '(' || next === ':' || next === '['
    case '<':
      return /[A-Za-z/!?]/.test(next)
    case '&':
      return /^&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/.test(text.slice(i, i + 36))
    case '|':
      return inTable === true
    default:
      return false
  }
}

const isBlank = (character: string | undefined): boolean => character === undefined || whiteSpace.test(character)

/** Index of the character to escape so that the line beginning at `i` is no heading, quote, list, task, rule or underline; -1 for none. */
function lineStartEscape(text: string, i: number): number {
  const end = text.indexOf('\n', i)
  const line = end < 0 ? text.slice(i, i + 120) : text.slice(i, Math.min(end, i + 120))
  const body = line.trimStart()
  const at = i + line.length - body.length
  const bullet = /^(?:#{1,6}|[-+*])(?=\s|$)|^>|^(?:-[ \t]*){3,}$|^=+[ \t]*$|^~~~/.exec(body)
  if (bullet) return at
  const ordered = /^\d{1,9}(?=[.)](?:\s|$))/.exec(body)
  if (ordered) return at + ordered[0].length
  return /^\[[ xX]\](?=\s|$)/.test(body) ? at : -1
}

/** An address as the target of a link: spaces and brackets are percent-encoded. */
export function escapeLinkTarget(uri: string): string {
  return uri.replace(/[\s()<>\\]/gu, (character) => encodeURIComponent(character).replace(/[()]/g, (c) => (c === '(' ? '%28' : '%29')))
}

/** A fence of backticks or more than the text itself holds in a row. */
export function fenceFor(code: string): string {
  let longest = 2
  for (const run of code.matchAll(/`+/g)) longest = Math.max(longest, run[0].length)
  return '`'.repeat(longest + 1)
}
