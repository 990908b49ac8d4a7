import { headingNumber } from '../../../text/heading-number.ts'
import type { MeasuredLook } from './block-look.ts'

/** What is remembered of a heading of the document until all are known. */
export interface HeadingRecord {
  readonly look: MeasuredLook
  readonly numbering: Numbering | undefined
  /** Level by the page's own tags. */
  readonly tagLevel: number | undefined
  /** Level of the bookmark with the same title. */
  readonly outlineLevel: number | undefined
  readonly isTitle: boolean
  /** Follows the title with nothing but headings between. */
  readonly followsTitle: boolean
  /** One of the customary sections that are never numbered. */
  readonly isSection: boolean
}

/** How a heading is numbered: headings with the same name share a level, a chain runs from outer to inner numbers. */
export interface Numbering {
  readonly name: string
  readonly chain: string
  readonly depth: number
}

/** By custom these stand beside the numbered sections of a paper, however they are printed. */
const customarySection =
  /^(?:abstract|references|bibliography|acknowledge?ments?|zusammenfassung|literatur(?:verzeichnis)?|danksagung|r[ée]sum[ée]|r[ée]f[ée]rences|bibliographie|remerciements|resumen|referencias|摘\s*要|参考文献|致\s*谢)[.:—–-]?$/i

/** A record for a heading text. */
export function headingRecord(
  text: string,
  look: MeasuredLook,
  said: { readonly tagLevel: number | undefined; readonly outlineLevel: number | undefined; readonly isTitle: boolean; readonly followsTitle: boolean },
): HeadingRecord {
  return { look, numbering: numberingOf(text), isSection: customarySection.test(text.trim()), ...said }
}

/**
 * Words ("Chapter", "Part") and lone letters form classes of their own: only type tells how they stand to plain numbers.
 * Decimal numbers nest by themselves; of Chinese numbers 第一章 and 第一节 stand above 一、 and （一）.
 */
function numberingOf(text: string): Numbering | undefined {
  const number = headingNumber(text)
  if (!number) return undefined
  const { style, depth, label } = number
  // "3" alone is a number, "Chapter 3" alone is a heading.
  if (number.rest.trim() === '' && style !== 'keyword' && style !== 'cjk') return undefined
  if (style === 'keyword') return { name: `${number.keyword ?? ''} ${depth}`, chain: number.keyword ?? '', depth }
  if (style === 'cjk') return { name: `cjk ${label.startsWith('第') ? depth : depth + 4}`, chain: 'cjk', depth: label.startsWith('第') ? depth : depth + 4 }
  if (style === 'decimal' || depth > 1) return { name: `number ${depth}`, chain: 'number', depth }
  return { name: style, chain: style, depth }
}

/** Numbers whose look says how the sections without a number stand. Lone letters are too often list-like. */
export const setsLook = (numbering: Numbering | undefined): numbering is Numbering => numbering !== undefined && numbering.name !== 'letter'
