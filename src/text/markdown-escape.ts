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

/**
 * Text as Markdown that renders to exactly that text (CommonMark with GitHub's tables, strike-through
 * and task lists), with as few backslashes as that takes: `snake_case`, `[12]`, `a < b` and `R&D` stay as they are.
 */
export function escapeMarkdown(text: string, options: EscapeOptions = {}): string {
  return escapePart(text, 0, text.length, options)
}

/** What may need a backslash in the middle of a line, and line breaks, behind which more may. */
const special = /[\\`*_[\]<&|~\n]/g

/** As `escapeMarkdown` for the characters `from` .. `to` of a text whose neighbouring parts are written beside them. */
export function escapePart(text: string, from: number, to: number, options: EscapeOptions = {}): string {
  const opens = from === 0 ? (options.lineStart ?? true) : text.charCodeAt(from - 1) === 0x0a
  let out = ''
  let copied = from
  const put = (at: number): void => {
    out += `${text.slice(copied, at)}\\`
    copied = at
  }
  /** The character that makes the beginning of the line syntax, -1 for none. */
  let opening = opens && from < to ? lineStartEscape(text, from) : -1
  special.lastIndex = from
  for (let match = special.exec(text); match && match.index < to; match = special.exec(text)) {
    const at = match.index
    if (opening >= 0 && opening < at) {
      put(opening)
      opening = -1
    }
    if (match[0] === '\n') opening = lineStartEscape(text, at + 1)
    else if (at === opening || needsEscape(text, at, options)) put(at)
    if (at === opening) opening = -1
  }
  if (opening >= 0 && opening < to) put(opening)
  return out === '' && from === 0 && to === text.length ? text : out + text.slice(copied, to)
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
