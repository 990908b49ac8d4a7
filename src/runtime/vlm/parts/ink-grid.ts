import type { Picture } from '../../document-reader.ts'

/** Whole pixels of the picture; `right` and `bottom` exclusive. */
export interface Region {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A run of rows or columns, `to` exclusive. */
export interface Run {
  readonly from: number
  readonly to: number
}

/** How far a value of 0..255 is from the paper to be ink: above the grain of a scan, below letters that are smaller than a pixel. */
const leastContrast = 32
/** Specks that a white row or column may hold, as a share of its length. */
const speckShare = 0.004
/** A row or column with so much ink that is at most so thin is a line that somebody drew, and parts nothing from nothing. */
const ruleShare = 0.9
const thickestRule = 3

/** Where a grey picture of a page has ink: counts of any rectangle in one step, by a table of sums. */
export class InkGrid {
  readonly width: number
  readonly height: number
  readonly #sums: Uint32Array

  constructor({ data, width, height, channels }: Picture) {
    this.width = width
    this.height = height
    this.#sums = new Uint32Array((width + 1) * (height + 1))
    const paper = paperOf(data, channels)
    for (let y = 0; y < height; y++) {
      let row = 0
      for (let x = 0; x < width; x++) {
        if (Math.abs((data[(y * width + x) * channels] as number) - paper) >= leastContrast) row++
        this.#sums[(y + 1) * (width + 1) + x + 1] = row + (this.#sums[y * (width + 1) + x + 1] as number)
      }
    }
  }

  get whole(): Region {
    return { left: 0, top: 0, right: this.width, bottom: this.height }
  }

  /** Pixels of ink. */
  ink({ left, top, right, bottom }: Region): number {
    const at = (x: number, y: number): number => this.#sums[y * (this.width + 1) + x] as number
    return at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top)
  }

  /** White columns between columns with ink, from left to right. */
  columnGaps(region: Region): Run[] {
    const rules = this.#rules(region.top, region.bottom, (y) => this.ink({ ...region, top: y, bottom: y + 1 }), region.right - region.left)
    return gapsOf(region.left, region.right, (x) => this.ink({ ...region, left: x, right: x + 1 }), region.bottom - region.top, rules)
  }

  /** White rows between rows with ink, from top to bottom. */
  rowGaps(region: Region): Run[] {
    const rules = this.#rules(region.left, region.right, (x) => this.ink({ ...region, left: x, right: x + 1 }), region.bottom - region.top)
    return gapsOf(region.top, region.bottom, (y) => this.ink({ ...region, top: y, bottom: y + 1 }), region.right - region.left, rules)
  }

  /** How many of these rows or columns are lines that were drawn across: each adds its ink to what it crosses. */
  #rules(from: number, to: number, ink: (at: number) => number, length: number): number {
    let rules = 0
    for (let at = from; at < to; at++) {
      const start = at
      while (at < to && ink(at) >= ruleShare * length) at++
      if (at > start && at - start <= thickestRule) rules += at - start
    }
    return rules
  }
}

function gapsOf(from: number, to: number, ink: (at: number) => number, length: number, rules: number): Run[] {
  const mostInk = rules + speckShare * length
  const gaps: Run[] = []
  let start = -1
  let seenInk = false
  for (let at = from; at < to; at++) {
    if (ink(at) <= mostInk) {
      if (start === -1) start = at
      continue
    }
    if (seenInk && start !== -1) gaps.push({ from: start, to: at })
    seenInk = true
    start = -1
  }
  return gaps
}

/** The most frequent value: paper covers more of a page than ink. */
function paperOf(data: Uint8Array, channels: number): number {
  const bins = new Uint32Array(32)
  for (let at = 0; at < data.length; at += channels) {
    const bin = (data[at] as number) >> 3
    bins[bin] = (bins[bin] as number) + 1
  }
  return bins.indexOf(Math.max(...bins)) * 8 + 4
}
