import type { Picture } from '../../runtime/document-reader.ts'

/** A page picture made small and grey, with the pixels that are darker than their surroundings marked. */
export interface InkMap {
  readonly width: number
  readonly height: number
  /** 0..255. */
  readonly grey: Uint8Array
  /** 1 where a pixel is ink. */
  readonly ink: Uint8Array
  /** Brightness of the paper, 0..255. */
  readonly paper: number
}

/** About 120 pixels an inch of an A4 page: a hairline of a 300 dpi scan still shows as grey. */
const longSide = 1400
/** Half the window of the local mean, in pixels of the map. */
const reach = 16
/** How much darker than its surroundings ink is, of 255 at least, and as a share of the mean. */
const minDrop = 18
const dropShare = 0.12

/** Shrinks by a whole factor (averaging) and marks ink by the local mean. Source: Bradley and Roth 2007, adaptive thresholding by integral image. */
export function inkMap(picture: Picture): InkMap {
  const { grey, width, height } = shrink(picture)
  return { width, height, grey, ink: markInk(grey, width, height), paper: paperOf(grey) }
}

function shrink(picture: Picture): { grey: Uint8Array; width: number; height: number } {
  const factor = Math.max(1, Math.round(Math.max(picture.width, picture.height) / longSide))
  const width = Math.max(1, Math.floor(picture.width / factor))
  const height = Math.max(1, Math.floor(picture.height / factor))
  const { data, channels } = picture
  const grey = new Uint8Array(width * height)
  const scale = 1 / (factor * factor)
  // Of colour pictures the green channel stands for brightness.
  const channel = channels === 3 ? 1 : 0
  const stride = picture.width * channels
  const sums = new Float64Array(width)
  for (let y = 0; y < height; y++) {
    sums.fill(0)
    for (let dy = 0; dy < factor; dy++) {
      let at = (y * factor + dy) * stride + channel
      for (let x = 0; x < width; x++) {
        let sum = 0
        for (let dx = 0; dx < factor; dx++, at += channels) sum += data[at] as number
        sums[x] = (sums[x] as number) + sum
      }
    }
    for (let x = 0; x < width; x++) grey[y * width + x] = (sums[x] as number) * scale
  }
  return { grey, width, height }
}

function markInk(grey: Uint8Array, width: number, height: number): Uint8Array {
  const ink = new Uint8Array(width * height)
  const integral = integralOf(grey, width, height)
  const stride = width + 1
  for (let y = 0; y < height; y++) {
    const top = Math.max(0, y - reach) * stride
    const bottom = Math.min(height, y + reach + 1) * stride
    const rows = (bottom - top) / stride
    for (let x = 0; x < width; x++) {
      const left = Math.max(0, x - reach)
      const right = Math.min(width, x + reach + 1)
      const sum =
        (integral[bottom + right] as number) - (integral[bottom + left] as number) - (integral[top + right] as number) + (integral[top + left] as number)
      const mean = sum / (rows * (right - left))
      if (mean - (grey[y * width + x] as number) > Math.max(minDrop, dropShare * mean)) ink[y * width + x] = 1
    }
  }
  return ink
}

function integralOf(grey: Uint8Array, width: number, height: number): Float64Array {
  const stride = width + 1
  const integral = new Float64Array(stride * (height + 1))
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += grey[y * width + x] as number
      integral[(y + 1) * stride + x + 1] = (integral[y * stride + x + 1] as number) + row
    }
  }
  return integral
}

/** The brightness that four fifths of the page do not exceed: paper, unless a photograph fills the page. */
function paperOf(grey: Uint8Array): number {
  const bins = new Uint32Array(256)
  for (const value of grey) bins[value] = (bins[value] as number) + 1
  let left = grey.length * 0.8
  for (let value = 0; value < 256; value++) {
    left -= bins[value] as number
    if (left <= 0) return value
  }
  return 255
}
