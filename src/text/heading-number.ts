import { decimalValue, numeralValue, romanValue } from './numeral.ts'

export interface HeadingNumber {
  /** As printed: `1.2`, `A.1`, `Chapter 3`, `第一章`. */
  readonly label: string
  /** The heading without its number. */
  readonly rest: string
  /** 1 for the outermost: `1`, `Chapter 3`, `Part I`; 2 for `1.1`, `A.1`, `第二节`. */
  readonly depth: number
  /** The numbers, outermost first: `1.2` is [1, 2], `A.1` is [1, 1], `Part IV` is [4]. */
  readonly parts: readonly number[]
  readonly style: 'decimal' | 'roman' | 'letter' | 'keyword' | 'cjk'
  /** Lower-case word before the number, for `keyword`: `chapter`. */
  readonly keyword?: string
}

/** Words before a heading's number and how deep they stand. */
const keywords: Readonly<Record<string, number>> = {
  ...{ part: 1, chapter: 1, appendix: 1, annex: 1, book: 1, volume: 1, lecture: 1, unit: 1, lesson: 1, module: 1, schedule: 1, attachment: 1, title: 1 },
  ...{ section: 2, article: 2, clause: 2, step: 3, subsection: 3, exercise: 3 },
  ...{ teil: 1, kapitel: 1, anhang: 1, anlage: 1, abschnitt: 2, artikel: 2, partie: 1, chapitre: 1, annexe: 1, titre: 1 },
  ...{
    parte: 1,
    capítulo: 1,
    capitulo: 1,
    anexo: 1,
    apéndice: 1,
    sección: 2,
    artículo: 2,
    seção: 2,
    artigo: 2,
    capitolo: 1,
    allegato: 1,
    appendice: 1,
    sezione: 2,
    articolo: 2,
  },
  ...{ hoofdstuk: 1, bijlage: 1, deel: 1, rozdział: 1, kapitola: 1, часть: 1, глава: 1, приложение: 1, раздел: 1, статья: 2, bölüm: 1 },
}

/** Chinese, Japanese and Korean counters of divisions and how deep they stand. */
const counters: Readonly<Record<string, number>> = {
  部: 1,
  编: 1,
  編: 1,
  篇: 1,
  卷: 1,
  章: 1,
  장: 1,
  부: 1,
  节: 2,
  節: 2,
  절: 2,
  回: 1,
  讲: 1,
  課: 1,
  课: 1,
  条: 3,
  條: 3,
  조: 3,
  款: 4,
  項: 4,
}

/**
 * The number at the start of a heading. Meant for text that may be a heading: in running text
 * "10 people" and "3.5 mm" are told apart only by the lower case that follows.
 */
export function headingNumber(text: string): HeadingNumber | undefined {
  const line = text.trimStart()
  return decimal(line) ?? keyword(line) ?? lettered(line) ?? eastAsian(line)
}

const decimalPattern = /^(\p{Nd}{1,3}(?:[.．]\p{Nd}{1,3}){0,7})([.．、)]?)(?=\s|$|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/u

function decimal(line: string): HeadingNumber | undefined {
  const match = decimalPattern.exec(line)
  if (!match?.[1]) return undefined
  const rest = line.slice(match[0].length).trimStart()
  const parts = match[1].split(/[.．]/u).map((part) => decimalValue(part) ?? 0)
  const closed = match[2] !== ''
  if (parts.length > 1 && parts.some((part, i) => i > 0 && part === 0 && !closed) && parts.length === 2 && parts[0] === 0) return undefined
  // A bare number before lower case or more figures is an amount, not a heading's number; so is "3.5 mm".
  if (!closed && parts.length === 1 && !/^[\p{Lu}\p{Lo}“"'(]/u.test(rest)) return undefined
  if (!closed && parts.length === 2 && /^(?:\p{Ll}{1,3}(?!\p{L})|[%°×±–-]|\p{Nd})/u.test(rest)) return undefined
  return { label: match[0], rest, depth: parts.length, parts, style: 'decimal' }
}

const keywordPattern =
  /^(\p{L}{3,12})\s+(\p{Nd}{1,3}(?:\.\p{Nd}{1,3})*|[IVXLC]{1,7}|\p{Lu}(?:\.\p{Nd}{1,3})*|one|two|three|four|five|six|seven|eight|nine|ten)(?![\p{L}\p{Nd}])\s*[.:：–—-]?\s*/iu
const spelled = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

function keyword(line: string): HeadingNumber | undefined {
  const sign = /^§§?\s*(\p{Nd}{1,4}(?:\.\p{Nd}{1,3})*)\p{Ll}?(?!\p{L})\s*[.:]?\s*/u.exec(line)
  if (sign?.[1]) return { ...pieces(sign[0], line, sign[1].split('.').map(numberOf)), depth: 2 + sign[1].split('.').length - 1, style: 'keyword', keyword: '§' }
  const match = keywordPattern.exec(line)
  const word = match?.[1]?.toLowerCase()
  const depth = word === undefined ? undefined : keywords[word]
  if (!match?.[1] || !match[2] || word === undefined || depth === undefined) return undefined
  if (/^\p{Ll}/u.test(match[1])) return undefined
  const rest = line.slice(match[0].length)
  // "Section 2 describes …" is a sentence.
  if (/\s$/u.test(match[0]) && !/[.:：–—-]\s*$/u.test(match[0]) && /^\p{Ll}/u.test(rest)) return undefined
  const parts = match[2].split('.').map(numberOf)
  return { ...pieces(match[0], line, parts), label: match[0].replace(/[\s.:：–—-]+$/u, ''), depth: depth + parts.length - 1, style: 'keyword', keyword: word }
}

const letteredPattern = /^([IVXLC]{1,7}|\p{Lu})((?:\.\p{Nd}{1,3}){0,5})([.)]?)(?=\s|$)/u

function lettered(line: string): HeadingNumber | undefined {
  const match = letteredPattern.exec(line)
  if (!match?.[1]) return undefined
  const numbers = (match[2] ?? '').split('.').slice(1).map(numberOf)
  // "A study" and "I think" begin sentences: a lone capital needs its full stop, bracket or sub-number.
  if (numbers.length === 0 && match[3] === '') return undefined
  const roman = numbers.length === 0 ? romanValue(match[1]) : undefined
  const isRoman = roman !== undefined && (match[1].length > 1 || /^[IVX]$/.test(match[1]))
  if (!isRoman && match[1].length > 1) return undefined
  const parts = [isRoman ? roman : numberOf(match[1]), ...numbers]
  return { ...pieces(match[0], line, parts), depth: parts.length, style: isRoman ? 'roman' : 'letter' }
}

const ordinalPattern =
  /^(?:第\s*([〇零一二三四五六七八九十百\p{Nd}]{1,5})\s*([部编編篇卷章节節回讲課课条條款項])|제?\s*(\p{Nd}{1,3})\s*([장부절조])(?![\p{L}]))/u
const enumerated = /^(?:([〇一二三四五六七八九十百]{1,5})[、．.]|[（(]([〇一二三四五六七八九十百]{1,5})[）)])/u

function eastAsian(line: string): HeadingNumber | undefined {
  const ordinal = ordinalPattern.exec(line)
  if (ordinal) {
    const part = numeralValue(ordinal[1] ?? ordinal[3] ?? '')
    const depth = counters[ordinal[2] ?? ordinal[4] ?? '']
    return part === undefined || depth === undefined ? undefined : { ...pieces(ordinal[0], line, [part]), depth, style: 'cjk' }
  }
  const match = enumerated.exec(line)
  const part = match && numeralValue(match[1] ?? match[2] ?? '')
  if (!match || part === undefined || part === null) return undefined
  return { ...pieces(match[0], line, [part]), depth: match[1] ? 1 : 2, style: 'cjk' }
}

const pieces = (found: string, line: string, parts: readonly number[]) => ({
  label: found.replace(/[\s:：–—-]+$/u, ''),
  rest: line.slice(found.length).trimStart(),
  parts,
})

function numberOf(text: string): number {
  const word = spelled.indexOf(text.toLowerCase())
  if (word >= 0) return word + 1
  const decimalNumber = decimalValue(text)
  if (decimalNumber !== undefined) return decimalNumber
  if (text.length > 1 || /^[IVX]$/.test(text)) return romanValue(text) ?? 0
  return (text.toUpperCase().codePointAt(0) ?? 0x40) - 0x40
}
