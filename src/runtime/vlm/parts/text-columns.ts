import type { InkGrid, Region } from './ink-grid.ts'

/** Of the page's width: what parts columns of text at least, and the narrowest column. Those of tables are narrower. */
const leastGap = 0.012
const leastColumn = 0.12
const mostColumns = 8
/** Lines of text fill their column: so many of the inked rows reach over so much of its width. Entries of tables do not. */
const leastReach = 0.6
const leastFull = 0.5

/** The columns of text that stand side by side over the whole height of a region, from left to right; none where it has one only, or a table. */
export function textColumns(grid: InkGrid, region: Region): Region[] {
  const gaps = grid.columnGaps(region).filter(({ from, to }) => to - from >= leastGap * grid.width)
  if (gaps.length === 0 || gaps.length >= mostColumns) return []
  const edges = [region.left, ...gaps.map(({ from, to }) => Math.round((from + to) / 2)), region.right]
  const columns = edges.slice(1).map((right, at) => ({ ...region, left: edges[at] as number, right }))
  return columns.every((column) => isText(grid, column)) ? columns : []
}

function isText(grid: InkGrid, column: Region): boolean {
  const inked = inkedPart(grid, column)
  const width = inked.right - inked.left
  if (width < leastColumn * grid.width) return false
  let rows = 0
  let full = 0
  for (let y = inked.top; y < inked.bottom; y++) {
    const row = { ...inked, top: y, bottom: y + 1 }
    if (grid.ink(row) === 0) continue
    rows++
    const { left, right } = inkedPart(grid, row)
    if (right - left >= leastReach * width) full++
  }
  return rows > 0 && full >= leastFull * rows
}

/** The region without its white columns at the left and right. */
export function inkedPart(grid: InkGrid, region: Region): Region {
  let { left, right } = region
  while (left < right && grid.ink({ ...region, left, right: left + 1 }) === 0) left++
  while (right > left && grid.ink({ ...region, left: right - 1, right }) === 0) right--
  return { ...region, left, right }
}
