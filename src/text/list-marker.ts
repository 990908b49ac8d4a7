import { chineseValue, decimalValue, romanValue } from './numeral.ts'

export const markerStyles = [
  'bullet',
  'checkbox',
  'decimal',
  'multilevel',
  'lower-letter',
  'upper-letter',
  'lower-roman',
  'upper-roman',
  'circled',
  'cjk',
] as const
export type MarkerStyle = (typeof markerStyles)[number]

export interface ListMarker {
  /** As printed, with its punctuation: `•`, `1.`, `(a)`. */
  readonly marker: string
  /** The text after the marker, without white space before it; empty when the marker stands alone. */
  readonly rest: string
  readonly style: MarkerStyle
  /** 1 for `1.`, `a)`, `i.`, `①`, `一、`; of `2.3.` the last number. Absent for bullets and boxes. */
  readonly ordinal?: number
  /** The same characters begin ordinary text as well ("A. Smith", "o homem", "— Oui"): neighbours must decide. */
  readonly unsure?: true
}

/** Signs that stand for nothing but a bullet. U+F0xx are the places of symbol fonts (Symbol, Wingdings) without a Unicode map. */
const bullets = new Set('•‣◦▪▫■●○◆◇◈►▶▸▹➢➣➤➔➜✓✔✗✘✦✧★☆⁃∙⦁⦿◉■❖❑❒✱')
/** Signs that are a bullet only before a blank. */
const weakBullets = new Set('-–—*·‧・o§→')
const boxes = new Set('☐☑☒✅□▢⬜')

/**
 * The list marker at the start of a printed line or block, if there is one: bullets, check boxes,
 * numbers, letters and Roman numerals with a full stop or brackets, circled and CJK numbers.
 * Decimal fractions ("3.5 mm"), years and four-digit numbers are none.
 */
export function listMarker(text: string): ListMarker | undefined {
  const line = text.trimStart()
  const code = line.charCodeAt(0)
  // Most lines begin with a Latin word: two looks settle it.
  if (isLatinLetter(code) && !/^(?:[a-z]|[ivx]{2,6})[.)]|^o\s/i.test(line)) return undefined
  return bulletOrBox(line) ?? circled(line) ?? numbered(line) ?? lettered(line) ?? chinese(line)
}

function bulletOrBox(line: string): ListMarker | undefined {
  const sign = String.fromCodePoint(line.codePointAt(0) ?? 0x20)
  const rest = line.slice(sign.length)
  if (boxes.has(sign)) return { marker: sign, rest: rest.trimStart(), style: 'checkbox' }
  const typed = /^(\[[ xX✓]?\]|\([ xX]?\))(?:\s+|$)/u.exec(line)
  if (typed?.[1] && !/^\((?:x|X)\)/.test(typed[1])) return { marker: typed[1], rest: line.slice(typed[0].length), style: 'checkbox' }
  const code = sign.charCodeAt(0)
  if (bullets.has(sign) || (code >= 0xf020 && code <= 0xf0ff)) return { marker: sign, rest: rest.trimStart(), style: 'bullet' }
  if (!weakBullets.has(sign) || !/^\s+\S/u.test(rest)) return undefined
  const item = rest.trimStart()
  // "- 12 -" is a page number, "- 5.3" a negative amount.
  if (/^[\d\s.,%-]+$/u.test(item)) return undefined
  const marker: ListMarker = { marker: sign, rest: item, style: 'bullet' }
  return sign === 'o' || sign === '—' || sign === '§' || sign === '→' ? { ...marker, unsure: true } : marker
}

/** Runs of enclosed numbers and letters in Unicode: first character, count, value of the first. */
const enclosed: readonly (readonly [first: number, count: number, value: number])[] = [
  [0x2460, 20, 1],
  [0x2474, 20, 1],
  [0x2488, 20, 1],
  [0x249c, 26, 1],
  [0x24b6, 26, 1],
  [0x24d0, 26, 1],
  [0x24eb, 10, 11],
  [0x24f5, 10, 1],
  [0x2776, 10, 1],
  [0x2780, 10, 1],
  [0x278a, 10, 1],
  [0x3220, 10, 1],
  [0x3251, 15, 21],
  [0x3280, 10, 1],
]

function circled(line: string): ListMarker | undefined {
  const code = line.charCodeAt(0)
  if (code >= 0x2160 && code <= 0x217b) return romanSign(line, code)
  if (code < 0x2460 || code > 0x3289) return undefined
  const range = enclosed.find(([first, count]) => code >= first && code < first + count)
  if (!range) return undefined
  return { marker: line.charAt(0), rest: line.slice(1).replace(/^[.、．\s]+/u, ''), style: 'circled', ordinal: code - range[0] + range[2] }
}

function romanSign(line: string, code: number): ListMarker | undefined {
  const found = /^.[.、．)）]?/u.exec(line)?.[0] ?? ''
  const small = code >= 0x2170
  const ordinal = code - (small ? 0x2170 : 0x2160) + 1
  return { marker: found, rest: line.slice(found.length).trimStart(), style: small ? 'lower-roman' : 'upper-roman', ordinal }
}

/** `1.` `1)` `1.)` `(1)` `[1]` `1、` `１．` `1°`; also `1.2.` and `(1.2)`. At most three digits: more is a year or an amount. */
const number = /^(?:[([（［](\p{Nd}{1,3}(?:\.\p{Nd}{1,2}){0,3})[)\]）］]|(\p{Nd}{1,3}(?:\.\p{Nd}{1,2}){0,4})(?:\.\)|[.)．）、]|[°º]\)?))/u
const germanMonth = /^(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)\p{L}*\.?(?:\s|$)/u

function numbered(line: string): ListMarker | undefined {
  const match = number.exec(line)
  if (!match) return undefined
  const marker = match[0]
  const after = line.slice(marker.length)
  const digits = match[1] ?? match[2] ?? ''
  const bracketed = match[1] !== undefined
  if (!beginsItem(after, bracketed || /[．、）]$/u.test(marker))) return undefined
  const rest = after.trimStart()
  const parts = digits.split('.')
  const ordinal = decimalValue(parts.at(-1) ?? '')
  const found: ListMarker = { marker, rest, style: parts.length > 1 ? 'multilevel' : 'decimal', ...(ordinal === undefined ? {} : { ordinal }) }
  // "3. Mai" and "5. oktober" are dates, "(1) that" may be a formula's number: the neighbours decide.
  return /[.]$/.test(marker) && (germanMonth.test(rest) || /^\p{Ll}/u.test(rest)) ? { ...found, unsure: true } : found
}

/** A blank follows, or nothing, or at once the text where brackets or full-width signs leave no doubt or CJK writing goes without blanks. */
function beginsItem(after: string, closed: boolean): boolean {
  if (after === '' || /^\s/u.test(after)) return true
  return closed ? /^[\p{L}“"'《「『]/u.test(after) : /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}“《「『]/u.test(after)
}

const lettering = /^(?:[(（]([ivx]{1,6}|[IVX]{1,6}|\p{L})[)）]|([ivx]{1,6}|[IVX]{1,6}|\p{L})(?:\.\)|[.)．）、]))/u

function lettered(line: string): ListMarker | undefined {
  const match = lettering.exec(line)
  if (!match) return undefined
  const marker = match[0]
  const sign = match[1] ?? match[2] ?? ''
  const after = line.slice(marker.length)
  if (!beginsItem(after, false) || chineseValue(sign) !== undefined) return undefined
  const bracketed = match[1] !== undefined
  const rest = after.trimStart()
  // A capital and a full stop before another capital: an initial as well as a marker. The same holds for a lone marker at a line's start.
  const unsure = !bracketed && marker.endsWith('.') && sign.length === 1 && sign !== sign.toLowerCase()
  const found = letterValue(sign)
  return found ? { marker, rest, ...found, ...(unsure ? { unsure: true as const } : {}) } : undefined
}

/** Lettered lists of Japanese and Korean run in their own alphabets' order. */
const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзиклмнопрстуфхцчшщэюя',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'アイウエオカキクケコサシスセソ',
  '가나다라마바사아자차카타파하',
  'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ',
  'אבגדהוזחטיכלמנסעפצקרשת',
  'ابجدهوزحطيكلمنسعفصقرشت',
]

function letterValue(sign: string): Pick<ListMarker, 'style' | 'ordinal'> | undefined {
  const small = sign.toLowerCase()
  const isUpper = sign !== small
  if (sign.length > 1 || /^[ivx]$/.test(small)) {
    const ordinal = romanValue(sign)
    return ordinal === undefined ? undefined : { style: isUpper ? 'upper-roman' : 'lower-roman', ordinal }
  }
  for (const alphabet of alphabets) {
    const at = alphabet.indexOf(small)
    if (at >= 0) return { style: isUpper ? 'upper-letter' : alphabet.charCodeAt(0) > 0x3000 ? 'cjk' : 'lower-letter', ordinal: at + 1 }
  }
  return undefined
}

const chineseNumber = /^(?:[(（]([〇零一二三四五六七八九十百]{1,5})[)）]|([〇零一二三四五六七八九十百]{1,5})[、．.])/u

function chinese(line: string): ListMarker | undefined {
  const match = chineseNumber.exec(line)
  const ordinal = match && chineseValue(match[1] ?? match[2] ?? '')
  if (!match || ordinal === undefined || ordinal === null) return undefined
  return { marker: match[0], rest: line.slice(match[0].length).trimStart(), style: 'cjk', ordinal }
}

const isLatinLetter = (code: number): boolean => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
