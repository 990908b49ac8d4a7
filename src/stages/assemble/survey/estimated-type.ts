import { mapFormulas } from '../../../runtime/vlm/formulas/formula-spans.ts'
import { isCjkChar } from '../../../text/script.ts'

/** How a text is set that is known by its box and its characters alone. */
export interface EstimatedType {
  readonly sizePt: number
  readonly lines: number
}

/** Mean width of characters, in parts of the type size: ideographs fill it, Latin letters and blanks half of it. */
const [wide, narrow, capital] = [1, 0.5, 0.65]
/** Distance of lines, and height of the box of a single one, in parts of the type size. */
const [leading, lineBox] = [1.2, 1.25]
/** So much of a line may be what letters are narrower than the mean. */
const slack = 0.3
const mostLines = 200
/** No block of a page says more. */
const longest = 20_000

/**
 * Type size in points and number of printed lines: the fewest lines that the text, at the size which they have in the height of the box, needs in its
 * width. Good to a fifth of the size; takes time in proportion to the first 20,000 characters.
 */
export function estimateType(text: string, widthPt: number, heightPt: number): EstimatedType {
  const ems = widthInEms(shown(text))
  if (!(widthPt > 0 && heightPt > 0) || ems === 0) return { sizePt: 0, lines: 0 }
  const sizeOf = (lines: number): number => heightPt / (leading * (lines - 1) + lineBox)
  let lines = 1
  while (lines < mostLines && (ems * sizeOf(lines)) / widthPt > lines + slack) lines++
  return { sizePt: sizeOf(lines), lines }
}

/** Formulas are shorter printed than written. */
const shown = (text: string): string => mapFormulas(text.slice(0, longest), (latex) => latex.replace(/(?:\\[a-z]{1,20}|[\\{}^_()\s])+/giu, ' '))

function widthInEms(text: string): number {
  let ems = 0
  for (const char of text.trim()) ems += isCjkChar(char.codePointAt(0) ?? 0) ? wide : /\p{Lu}/u.test(char) ? capital : narrow
  return ems
}
