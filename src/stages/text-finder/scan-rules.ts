import type { Rule } from '../../schema/text-layer.ts'
import type { InkMap } from './ink-map.ts'

/** All in pixels of the ink map (about 120 an inch). A run is the part of a line within one row: a line that leans shows several. */
const minRun = 22
/** Gaps that dust and binarisation tear into a line. */
const maxGap = 2
/** Half an inch: shorter lines are strokes of letters and dashes. */
const minLength = 60
/** Thicker is a bar, a frame of a picture or a shadow of the page's edge. */
const maxThickness = 7
/** Lean of a scan, as a slope: two degrees and a little. */
const maxSlope = 0.045
const minFill = 0.75
/** Grids have hundreds of lines, halftones thousands of runs. */
const maxRules = 1000

/**
 * Straight thin dark lines of a scanned page, horizontal and vertical, in points of a page of `pageWidth` x `pageHeight`.
 * Long runs of ink are found row by row and chained with touching runs of the next rows, so that a lean of two degrees does no harm.
 */
export function scanRules(map: InkMap, pageWidth: number, pageHeight: number): Rule[] {
  const scaleX = pageWidth / map.width
  const scaleY = pageHeight / map.height
  const horizontal = lines(map.ink, map.width, map.height).map(
    (line): Rule => ({ direction: 'horizontal', at: line.at * scaleY, from: line.from * scaleX, to: line.to * scaleX, thickness: line.thickness * scaleY }),
  )
  const vertical = lines(transposed(map), map.height, map.width).map(
    (line): Rule => ({ direction: 'vertical', at: line.at * scaleX, from: line.from * scaleY, to: line.to * scaleY, thickness: line.thickness * scaleX }),
  )
  return [...horizontal, ...vertical]
}

interface Line {
  readonly at: number
  readonly from: number
  readonly to: number
  readonly thickness: number
}

interface Chain {
  from: number
  to: number
  top: number
  bottom: number
  pixels: number
  sumY: number
  /** The runs of its lowest row so far. */
  lastFrom: number
  lastTo: number
  lastRow: number
}

function lines(ink: Uint8Array, width: number, height: number): Line[] {
  const found: Line[] = []
  let open: Chain[] = []
  for (let y = 0; y < height; y++) {
    for (const [from, to] of longRuns(ink, y * width, width)) {
      const touching = open.filter((chain) => chain.lastRow >= y - 2 && from <= chain.lastTo + maxGap + 1 && to >= chain.lastFrom - maxGap - 1)
      const [first, ...others] = touching
      if (first) open = extend(first, others, from, to, y, open)
      else open.push({ from, to, top: y, bottom: y, pixels: to - from, sumY: y * (to - from), lastFrom: from, lastTo: to, lastRow: y })
    }
    open = open.filter((chain) => {
      if (chain.lastRow >= y - 1) return true
      const line = lineOf(chain)
      if (line) found.push(line)
      return false
    })
  }
  for (const chain of open) {
    const line = lineOf(chain)
    if (line) found.push(line)
  }
  return found.sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, maxRules)
}

/** Adds a run to a chain; other chains that touch it are the same line, torn in a row above. */
function extend(chain: Chain, others: readonly Chain[], from: number, to: number, y: number, open: Chain[]): Chain[] {
  chain.lastFrom = chain.lastRow === y ? Math.min(chain.lastFrom, from) : from
  chain.lastTo = chain.lastRow === y ? Math.max(chain.lastTo, to) : to
  chain.lastRow = y
  chain.bottom = y
  chain.from = Math.min(chain.from, from)
  chain.to = Math.max(chain.to, to)
  chain.pixels += to - from
  chain.sumY += y * (to - from)
  for (const other of others) {
    chain.from = Math.min(chain.from, other.from)
    chain.to = Math.max(chain.to, other.to)
    chain.top = Math.min(chain.top, other.top)
    chain.pixels += other.pixels
    chain.sumY += other.sumY
    if (other.lastRow === y) {
      chain.lastFrom = Math.min(chain.lastFrom, other.lastFrom)
      chain.lastTo = Math.max(chain.lastTo, other.lastTo)
    }
  }
  return others.length > 0 ? open.filter((candidate) => !others.includes(candidate)) : open
}

function lineOf(chain: Chain): Line | undefined {
  const length = chain.to - chain.from
  if (length < minLength) return undefined
  const thickness = chain.pixels / length
  const rise = chain.bottom - chain.top + 1
  if (thickness > maxThickness || thickness < minFill || rise > thickness + 2 + maxSlope * length) return undefined
  return { at: chain.sumY / chain.pixels + 0.5, from: chain.from, to: chain.to, thickness: Math.max(1, thickness) }
}

/** Runs of ink of at least `minRun` pixels in a row, `[from, to)`, small gaps closed. */
function longRuns(ink: Uint8Array, start: number, width: number): [number, number][] {
  const runs: [number, number][] = []
  for (let x = 0; x < width; x++) {
    if (ink[start + x] === 0) continue
    const from = x
    let last = x
    while (x + 1 < width && x + 1 - last <= maxGap + 1) {
      x++
      if (ink[start + x] === 1) last = x
    }
    if (last + 1 - from >= minRun) runs.push([from, last + 1])
    x = last + maxGap
  }
  return runs
}

function transposed({ ink, width, height }: InkMap): Uint8Array {
  const out = new Uint8Array(ink.length)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) out[x * height + y] = ink[y * width + x] as number
  return out
}
