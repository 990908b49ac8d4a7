import { isSeparatorRow, markdownCells } from './markdown-row.ts'
import { isNoisyCell } from './noisy-cell.ts'
import { hasRun, mostOf } from './runs.ts'

const token = /[A-Za-z0-9]+(?:[-_./][A-Za-z0-9]+)*|\S/gu
const longLine = 30

/** Whether the content of a chart looks like a model that repeats itself. One walk for each sign. */
export function isRepetitive(content: string): boolean {
  return (
    content.includes('\\|') ||
    /\n{5}/.test(content) ||
    /([A-Za-z0-9])\1{19}/.test(content) ||
    isOneUnitRepeated(content.replace(/\s+/g, ' ').trim()) ||
    hasRepeatedLines(content) ||
    hasNoisyRow(content) ||
    hasRun(tokensOf(content), 8)
  )
}

/** Of 80 characters or more. By the borders of each prefix (Knuth, Morris, Pratt 1977): a text of one unit has a border as long as all others together. */
function isOneUnitRepeated(text: string): boolean {
  if (text.length < 80) return false
  const borders = new Uint32Array(text.length)
  for (let at = 1; at < text.length; at++) {
    let border = borders[at - 1] ?? 0
    while (border > 0 && text[at] !== text[border]) border = borders[border - 1] ?? 0
    borders[at] = text[at] === text[border] ? border + 1 : 0
  }
  const unit = text.length - (borders[text.length - 1] ?? 0)
  return unit < text.length && text.length % unit === 0
}

function hasRepeatedLines(content: string): boolean {
  const lines = content.split('\n').map((line) => line.trim())
  const long = lines.filter((line) => line.length >= longLine && !isSeparatorLine(line))
  return hasRun(lines, 3, isWritten) || hasRun(lines, 2, (line) => line.length >= longLine) || mostOf(long) >= 4
}

const isWritten = (line: string): boolean => line !== ''

function isSeparatorLine(line: string): boolean {
  const cells = markdownCells(line)
  return cells !== undefined && isSeparatorRow(cells)
}

/** In the body of a table. */
function hasNoisyRow(content: string): boolean {
  let inBody = false
  for (const line of content.split('\n')) {
    const cells = markdownCells(line)
    if (!cells) inBody = false
    else if (inBody && cells.some(isNoisyCell)) return true
    else if (isSeparatorRow(cells)) inBody = true
  }
  return false
}

const tokensOf = (content: string): string[] =>
  content
    .split('\n')
    .filter((line) => !isSeparatorLine(line))
    .flatMap((line) => line.match(token) ?? [])
    .map((found) => found.toLowerCase())
