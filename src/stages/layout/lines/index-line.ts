import type { PrintedLine } from './printed-line.ts'

/** A page number at the end of an entry: arabic, roman, or with the chapter before it. */
const pageNumber = /(?:^|[\s.…·])(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]?-?\d{1,3}[-–.]\d{1,4})$/
const leaders = /(?:\.\s?){4,}|…{2,}|(?:·\s?){4,}|_{5,}/

/** An entry of a table of contents: leaders, or dots, between its name and its page. */
export function isIndexLine(line: PrintedLine): boolean {
  return leaders.test(line.text) && pageNumber.test(line.text.trim())
}

/** An entry whose page number stands apart at the right edge, without leaders. */
export function endsInPageNumber(line: PrintedLine): boolean {
  const last = line.atoms.at(-1)
  return line.atoms.length > 1 && last !== undefined && /^(?:\d{1,4}|[ivxlc]{1,7})$/.test(last.text.trim())
}
