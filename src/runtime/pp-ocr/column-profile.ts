import type { LineTensor } from './recognizer-input.ts'

/** A run of columns without ink, `from` inclusive, `to` exclusive, in pixels of the 48 px high line. */
export interface BlankRun {
  readonly from: number
  readonly to: number
}

/** Rows at the rim may show the neighbour lines or a rule. */
const rim = 2
/** Share of the line's own contrast below which a column counts as blank. */
const blankShare = 0.25

/**
 * How far each column departs from the background (the middle value of the line) at its inkiest row, 0..2.
 * Dark writing on light ground and the reverse alike.
 */
export function columnInk(line: LineTensor): Float32Array {
  const plane = line.width * line.height
  const green = line.data.subarray(plane, 2 * plane)
  const background = middle(green, line)
  const ink = new Float32Array(line.inkWidth)
  for (let y = rim; y < line.height - rim; y++) {
    const row = y * line.width
    for (let x = 0; x < line.inkWidth; x++) {
      const off = Math.abs((green[row + x] as number) - background)
      if (off > (ink[x] as number)) ink[x] = off
    }
  }
  return ink
}

/** The most frequent value: paper covers more of a line than ink. */
function middle(plane: Float32Array, line: LineTensor): number {
  const bins = new Uint32Array(64)
  for (let y = rim; y < line.height - rim; y += 2) {
    const row = y * line.width
    for (let x = 0; x < line.inkWidth; x++) {
      const bin = Math.min(63, Math.max(0, Math.floor(((plane[row + x] as number) + 1) * 32)))
      bins[bin] = (bins[bin] as number) + 1
    }
  }
  return (bins.indexOf(Math.max(...bins)) + 0.5) / 32 - 1
}

/** The runs of blank columns, from left to right. */
export function blankRuns(ink: Float32Array): BlankRun[] {
  let contrast = 0
  for (const value of ink) contrast = Math.max(contrast, value)
  const threshold = contrast * blankShare
  const runs: BlankRun[] = []
  for (let x = 0; x < ink.length; x++) {
    if ((ink[x] as number) >= threshold) continue
    const from = x
    while (x + 1 < ink.length && (ink[x + 1] as number) < threshold) x++
    runs.push({ from, to: x + 1 })
  }
  return runs
}

/** Where a line is best cut in two: the middle of the widest blank run of its middle half, else its least inky column. */
export function bestCut(ink: Float32Array): number {
  const low = Math.floor(ink.length / 4)
  const high = Math.ceil((ink.length * 3) / 4)
  const inside = blankRuns(ink).map((run) => ({ from: Math.max(low, run.from), to: Math.min(high, run.to) }))
  const widest = inside.reduce((best, run) => (run.to - run.from > best.to - best.from ? run : best), { from: 0, to: 0 })
  if (widest.to > widest.from) return Math.floor((widest.from + widest.to) / 2)
  let cut = low
  for (let x = low; x < high; x++) if ((ink[x] as number) < (ink[cut] as number)) cut = x
  return cut
}
