import { listMarker } from '../../../text/list-marker.ts'
import type { PrintedLine } from './printed-line.ts'

/** A column of entries: a subject index, or terms with their meanings beside them. */
export interface EntryList {
  /** Most lines end in the pages of an entry. */
  readonly isIndex: boolean
  /** Where the meanings of several terms begin, x in points. */
  readonly tabs: readonly number[]
}

/** Fewer lines than this are chance. */
const [fewestIndexLines, fewestTerms] = [6, 4]
/** A term is no longer than this, in em. */
const longestTermEm = 14

const pages = String.raw`\d{1,4}(?:\s?[–-]\s?\d{1,4})?(?:\s?ff?\.?)?`
const endPages = new RegExp(String.raw`\p{L}.*,\s*${pages}(?:,\s*${pages})*$`, 'u')
/** Asked first: most lines end otherwise, and the whole pattern tries every letter of a line. */
const mayEndInPages = /\d(?:\s?ff?\.?)?\s*$/
const onlyPages = new RegExp(String.raw`^${pages}(?:,\s*${pages})*$`, 'u')

/** "Geodesic, 12, 34–36": an entry of a subject index, in one line. */
export const endsInPages = (text: string): boolean => text.length < 90 && mayEndInPages.test(text) && endPages.test(text.trim())

export function entryList(lines: readonly PrintedLine[]): EntryList {
  const isIndex = lines.length >= fewestIndexLines && lines.filter((line) => endsInPages(line.text)).length * 2 >= lines.length
  return { isIndex, tabs: tabsOf(lines) }
}

/** Left edges that the second parts of several lines share, where the first parts are as short as terms. */
function tabsOf(lines: readonly PrintedLine[]): number[] {
  const starts = lines.flatMap((line) => (isTermLine(line) ? [line.places[1]?.[0] ?? 0] : [])).sort((a, b) => a - b)
  const tabs: number[] = []
  for (let i = 0; i + fewestTerms <= starts.length; i++) {
    const start = starts[i] ?? 0
    if ((starts[i + fewestTerms - 1] ?? Infinity) - start < 1 && start - (tabs.at(-1) ?? -Infinity) > 2) tabs.push(start)
  }
  return tabs
}

const isTermLine = (line: PrintedLine): boolean => {
  const [term, meaning] = line.places
  if (line.text === '' || line.rightToLeft || listMarker(line.text)) return false
  return term !== undefined && meaning !== undefined && term[2] - term[0] < longestTermEm * line.em
}

/** Whether a line begins an entry of its list (true) or goes on with the one before (false); undefined when it belongs to no list. */
export function startsEntry(before: PrintedLine, line: PrintedLine, { isIndex, tabs }: EntryList): boolean | undefined {
  if (isIndex) return !onlyPages.test(line.text.trim())
  const isAtTab = (x: number | undefined) => x !== undefined && tabs.some((tab) => Math.abs(x - tab) < 1.5)
  if (isTermLine(line) && isAtTab(line.places[1]?.[0])) return true
  const isBelowMeaning = isAtTab(line.box[0]) && (isAtTab(before.box[0]) || (isTermLine(before) && isAtTab(before.places[1]?.[0])))
  return isBelowMeaning ? false : undefined
}
