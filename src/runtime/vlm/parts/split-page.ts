import type { Box } from '../../../schema/geometry.ts'
import type { Picture } from '../../document-reader.ts'
import { InkGrid, type Region, type Run } from './ink-grid.ts'
import { textColumns } from './text-columns.ts'

/** Written tokens of an answer from which on a model without its window loses its place. */
const safeTokens = 1_500
/** … and what a part is meant to take: its share is not known beforehand. */
const tokensAPart = 1_000
const mostParts = 12
/** A part may hold so much more ink than its share before it is divided itself. */
const mostOverShare = 1.5
/** An answer that met its limit tells nothing of how long it would be. */
const partsOfEndless = 6

/** In how many parts a page is read again after this answer, of an engine that does not forget what was written long ago; 1: it is good as it is. */
export function partsNeeded({ outputTokens, finish }: { readonly outputTokens: number; readonly finish: 'stop' | 'length' | 'stopped' }): number {
  if (outputTokens <= safeTokens && finish !== 'length') return 1
  return Math.min(finish === 'length' ? partsOfEndless : mostParts, Math.max(2, Math.ceil(outputTokens / tokensAPart)))
}

/** Gaps between rows that are tried, the tallest. */
const mostGaps = 16
/** Share of a region's ink that stands in columns, for which it is cut above and below them. */
const leastInColumns = 0.4
/** Where a region is cut in two, by the share of its ink above; the second where the first has no gap. */
const cutRanges = [
  [0.3, 0.7],
  [0.15, 0.85],
] as const

/**
 * Divides a page into parts in reading order, cut where nothing is written, so that each holds its share of the ink: between columns of text, else
 * above and below what stands in columns, else between lines, best where the gap is tall. Tables are never cut between their columns. Parts tile
 * the page but for what is blank; they are fewer than asked for where there is no more white to cut in, and more where some hold little.
 *
 * `grey`: the page, some 800 pixels high; its first channel is looked at.
 */
export function splitPage(grey: Picture, parts: number): Box[] {
  const grid = new InkGrid(grey)
  const mostInk = (mostOverShare * grid.ink(grid.whole)) / Math.max(1, parts)
  const settled = new Set<Region>()
  let regions: Region[] = [grid.whole]
  while (regions.length < mostParts) {
    const fullest = regions.filter((region) => !settled.has(region)).sort((a, b) => grid.ink(b) - grid.ink(a))[0]
    if (fullest === undefined || grid.ink(fullest) <= mostInk) break
    const pieces = divide(grid, fullest)
    if (pieces.length < 2) settled.add(fullest)
    else regions = regions.flatMap((region) => (region === fullest ? pieces : [region]))
  }
  const { width, height } = grid
  return regions.map(({ left, top, right, bottom }) => [left / width, top / height, right / width, bottom / height])
}

/** At least two pieces with ink, in reading order, or none. */
function divide(grid: InkGrid, region: Region): Region[] {
  if (grid.ink(region) === 0) return []
  const columns = textColumns(grid, region)
  if (columns.length > 0) return columns
  const gaps = grid.rowGaps(region)
  const pieces = columnBand(grid, region, gaps) ?? halves(grid, region, gaps)
  return pieces.filter((piece) => grid.ink(piece) > 0)
}

const middle = ({ from, to }: Run): number => Math.round((from + to) / 2)

/** What is above the largest band of rows that has columns, the band, and what is below. */
function columnBand(grid: InkGrid, region: Region, gaps: readonly Run[]): Region[] | undefined {
  const tallest = [...gaps].sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, mostGaps)
  const edges = [region.top, ...tallest.map(middle).sort((a, b) => a - b), region.bottom]
  let best: { readonly band: Region; readonly ink: number } | undefined
  for (const [at, top] of edges.entries()) {
    for (const bottom of edges.slice(at + 1)) {
      const band = { ...region, top, bottom }
      const ink = grid.ink(band)
      if (ink > Math.max(best?.ink ?? 0, leastInColumns * grid.ink(region)) && textColumns(grid, band).length > 0) best = { band, ink }
    }
  }
  if (best === undefined) return undefined
  return [{ ...region, bottom: best.band.top }, best.band, { ...region, top: best.band.bottom }].filter(({ top, bottom }) => bottom > top)
}

function halves(grid: InkGrid, region: Region, gaps: readonly Run[]): Region[] {
  const ink = grid.ink(region)
  const cuts = gaps.map((gap) => {
    const share = grid.ink({ ...region, bottom: middle(gap) }) / ink
    return { at: middle(gap), share, worth: (gap.to - gap.from) * (1 - Math.abs(share - 0.5)) }
  })
  for (const [least, most] of cutRanges) {
    const best = cuts.filter(({ share }) => share >= least && share <= most).sort((a, b) => b.worth - a.worth)[0]
    if (best !== undefined)
      return [
        { ...region, bottom: best.at },
        { ...region, top: best.at },
      ]
  }
  return []
}
