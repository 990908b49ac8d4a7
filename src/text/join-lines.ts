import { isCjkChar, scriptOf } from './script.ts'

/** How a printed line goes on in the next: how many characters to take off its end, and what to put between. */
export interface LineJoin {
  readonly drop: 0 | 1
  readonly glue: '' | ' '
}

export interface JoinOptions {
  /** Whether the hyphen between the halves of a broken word ("well-/known") is the word's own; undefined and false take it out. */
  readonly keepsHyphen?: (head: string, tail: string) => boolean | undefined
}

const blank: LineJoin = { drop: 0, glue: ' ' }
const none: LineJoin = { drop: 0, glue: '' }
const repaired: LineJoin = { drop: 1, glue: '' }

const softHyphen = 0xad

/**
 * Decides how two neighbouring printed lines are joined to running text.
 * Both are expected without white space at the join.
 */
export function joinOf(before: string, after: string, options: JoinOptions = {}): LineJoin {
  if (before.length === 0 || after.length === 0) return none
  const last = lastCodePoint(before)
  const first = after.codePointAt(0) ?? 0
  if (last === softHyphen) return repaired
  if (last === 0x2d || last === 0x2010) return joinAtHyphen(before, after, options)
  if (isUnspaced(last) && isUnspaced(first)) return none
  // Chinese and Japanese break before and after a foreign word as well; a blank there is a matter of taste, none is never wrong.
  if (isCjkChar(last) || isCjkChar(first)) return none
  return joinAtPunctuation(before, after, last, first)
}

/** Joins printed lines to running text; white space at their ends is dropped, empty lines count for nothing. */
export function joinLines(lines: readonly string[], options: JoinOptions = {}): string {
  let text = ''
  for (const line of lines) {
    const next = line.trim()
    if (!next) continue
    const join = joinOf(text, next, options)
    text = (join.drop ? text.slice(0, -join.drop) : text) + join.glue + next
  }
  return text
}

const letter = /\p{L}/u
const lower = /^\p{Ll}/u
/** "pre- and postwar", "Ein- und Ausgabe": the hyphen stands for the part that both words share. */
const sharedPart = /^(?:and|or|nor|to|und|oder|bis|sowie|et|ou|y|o|e|ed|of|en|och|og|eller|i|a|lub)(?=[\s,]|$)/u
function joinAtHyphen(before: string, after: string, { keepsHyphen }: JoinOptions): LineJoin {
  const word = lastToken(before).slice(0, -1)
  if (word === '' || word === '-') return blank // a dash that stands alone
  if (word.endsWith('-') || isAddress(word)) return none
  if (!letter.test(word.slice(-1)) || !letter.test(after.charAt(0))) return none
  if (sharedPart.test(after)) return blank
  const continuation = firstToken(after)
  if (isCompound(word, continuation)) return none
  const [head, tail] = [lettersBefore(word, word.length), lettersFrom(continuation, 0)]
  if (lower.test(tail)) return keepsHyphen?.(head, tail) ? none : repaired
  // A capital begins a name, but in a line of capitals.
  return isCapitals(head) && isCapitals(tail) && keepsHyphen?.(head, tail) === false ? repaired : none
}

/** The letters that end at a place in the text, and those that begin there: the halves of a word that is broken at it. */
export const lettersBefore = (text: string, end: number): string => /\p{L}*$/u.exec(text.slice(Math.max(0, end - maxWord), end))?.[0] ?? ''
export const lettersFrom = (text: string, start: number): string => /^\p{L}*/u.exec(text.slice(start, start + maxWord))?.[0] ?? ''
const maxWord = 60

const isCapitals = (word: string): boolean => word.length > 1 && word === word.toUpperCase()

/** Words with a hyphen or digit of their own are broken at that, and nobody breaks a word after its first letter ("e-/mail", "t-/test"). */
function isCompound(head: string, tail: string): boolean {
  return /[-‐\d]/u.test(head) || /^\p{L}+[-‐]\p{L}/u.test(tail) || /^[^\p{L}]*\p{L}$/u.test(head)
}

const emDash = 0x2014
const enDash = 0x2013
const maqaf = 0x05be

function joinAtPunctuation(before: string, after: string, last: number, first: number): LineJoin {
  if (last === enDash || last === emDash || last === maqaf) return /\s.$/u.test(before) || before.length === 1 ? blank : none
  if (first === emDash && /^.\p{L}/u.test(after)) return none
  const token = lastToken(before)
  if (last === 0x40 || (first === 0x40 && /^@[\w.-]+\.\w/u.test(after))) return token.length > 1 || first === 0x40 ? none : blank
  if (last === 0x2f && token.length > 1 && /^[\p{L}\p{N}]/u.test(after)) return none
  return isAddress(token) && goesOn(token, firstToken(after)) ? none : blank
}

const isAddress = (token: string): boolean => /:\/\/|[\w.]@\w|^[(<[]?www\.|^[(<[]?(?:doi:)?10\.\d{4,9}\//iu.test(token)

/**
 * Whether an address that ends a line goes on in the next: it was broken at a separator. A full stop
 * may end the sentence instead; then what follows must itself look like a part of an address.
 */
function goesOn(address: string, next: string): boolean {
  if (/^[/?=&#_%~]\S/u.test(next)) return true
  if (/[/\-_?=&%#~:+]$/u.test(address)) return /^[\w%~]/u.test(next)
  if (address.endsWith('.')) return /^[a-z0-9][\w-]*[./=?&_]\S|^(?:html?|pdf|php|aspx?|com|org|net|edu|gov)\b/u.test(next)
  return /^\.[a-z0-9]/u.test(next)
}

/** Ideographs, kana and Thai: no blank between words. */
function isUnspaced(codePoint: number): boolean {
  return isCjkChar(codePoint) || (codePoint >= 0xe00 && scriptOf(codePoint) === 'thai')
}

/** The longest token that is looked at: an address; bounds the work on hostile lines. */
const maxToken = 2048

function lastToken(text: string): string {
  const from = Math.max(0, text.length - maxToken)
  for (let i = text.length - 1; i >= from; i--) if (isSpace(text.charCodeAt(i))) return text.slice(i + 1)
  return text.slice(from)
}

function firstToken(text: string): string {
  const to = Math.min(text.length, maxToken)
  for (let i = 0; i < to; i++) if (isSpace(text.charCodeAt(i))) return text.slice(0, i)
  return text.slice(0, to)
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x09 || code === 0xa0 || code === 0x3000

function lastCodePoint(text: string): number {
  const unit = text.charCodeAt(text.length - 1)
  return unit >= 0xdc00 && unit <= 0xdfff && text.length > 1 ? (text.codePointAt(text.length - 2) ?? unit) : unit
}
