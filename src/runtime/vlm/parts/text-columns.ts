import type { InkGrid, Region } from './ink-grid.ts'

/** Of the page's width: what parts columns of text at least, and the narrowest column. Those of tables are narrower. */
const leastGap = 0.012
const leastColumn = 0.12
const mostColumns = 8
/** Lines of text fill their column: so many of the inked rows reach over so much of its width. Entries of tables do not. */
const leastReach = 0.6
const leastFull = 0.5

/** What stands in the margin: line numbers, a note set sideways. So much of the ink at most. */
const mostInMargin = 0.08

/**
 * The columns of text that stand side by side over the whole height of a region, from left to right, and what stands in the margins beside them; none
 * where it has one column only, or a table.
 */
export function textColumns(grid: InkGrid, region: Region): Region[] {
  const gaps = grid.columnGaps(region).filter(({ from, to }) => to - from >= leastGap * grid.width)
  if (gaps.length === 0 || gaps.length >= mostColumns) return []
  const edges = [region.left, ...gaps.map(({ from, to }) => Math.round((from + to) / 2)), region.right]
  const strips = edges.slice(1).map((right, at) => ({ ...region, left: edges[at] as number, right }))
  const from = isMargin(grid, strips[0], region) ? 1 : 0
  const to = isMargin(grid, strips.at(-1), region) ? -1 : strips.length
  const columns = strips.slice(from, to)
  return columns.length >= 2 && columns.every((column) => isText(grid, column)) ? strips : []
}

const isMargin = (grid: InkGrid, strip: Region | undefined, region: Region): boolean =>
  strip !== undefined && widthOf(inkedPart(grid, strip)) < leastColumn * grid.width && grid.ink(strip) <= mostInMargin * grid.ink(region)

const widthOf = ({ left, right }: Region): number => right - left

function isText(grid: InkGrid, column: Region): boolean {
  const inked = inkedPart(grid, column)
  const width = widthOf(inked)
  if (width < leastColumn * grid.width) return false
  let rows = 0
  let full = 0
  for (let y = inked.top; y < inked.bottom; y++) {
    const row = { ...inked, top: y, bottom: y + 1 }
    if (grid.ink(row) === 0) continue
    rows++
    if (widthOf(inkedPart(grid, row)) >= leastReach * width) full++
  }
  return rows > 0 && full >= leastFull * rows
}

/** The region without its white columns at the left and right. */
function inkedPart(grid: InkGrid, region: Region): Region {
  let { left, right } = region
  while (left < right && grid.ink({ ...region, left, right: left + 1 }) === 0) left++
  while (right > left && grid.ink({ ...region, left: right - 1, right }) === 0) right--
  return { ...region, left, right }
}
