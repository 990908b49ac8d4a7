import { romanValue } from '../../../text/numeral.ts'

/** Longer text is no running header. */
export const maxFurnitureChars = 250

/** A text with its numbers taken out, so that "Page 3 of 10" and "Page 4 of 10" are one. */
export interface NumberlessText {
  readonly key: string
  readonly numbers: readonly number[]
}

/** Case, blanks and the values of numbers (Arabic, or a Roman numeral that stands alone) make no difference to the key. */
export function numberless(text: string): NumberlessText {
  const numbers: number[] = []
  const folded = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
  const key = folded.replace(/\d{1,9}|(?<![\p{L}\p{N}.])[ivxlc]{1,7}(?![\p{L}\p{N}.])/gu, (found) => {
    const value = /^\d/.test(found) ? Number(found) : romanValue(found)
    if (value === undefined) return found
    numbers.push(value)
    return '#'
  })
  return { key, numbers }
}

/** Whether the numbers of two occurrences go with the pages: each stays or grows by the distance in pages. */
export function numbersFollow(before: readonly number[], now: readonly number[], pagesBetween: number): boolean {
  return before.length === now.length && now.every((n, i) => n === before[i] || n - (before[i] ?? 0) === pagesBetween)
}

const pageNumberPattern =
  /^(?:[-–—[(|•·\s]*)(?:(?:page|seite|página|pagina|pág\.?|pag\.?|s\.|p\.|pp\.|стр\.?|第)\s*)?(?:[a-z]{1,2}[-–.])?(?:#(?:[-–.]#)?)(?:\s*(?:of|\/|von|de|di|sur|из|\|)\s*#)?(?:\s*(?:页|頁|ページ|쪽))?(?:[-–—\])|•·\s]*)$/

/** Whether a text is nothing but a page number, in the forms people print: 7, – 7 –, Page 7 of 9, 7/9, A-7, 7-45, vii. */
export const isPageNumber = (text: string): boolean => text.length <= 40 && pageNumberPattern.test(numberless(text).key)
