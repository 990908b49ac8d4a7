/**
 * For each target pixel: the first source pixel and the weights of the following ones.
 * A triangle as wide as the larger of one source pixel and one target pixel: bilinear when growing, averaging when shrinking.
 */
interface Taps {
  readonly first: Int32Array
  readonly count: number
  /** `count` weights for each target pixel; they sum to 1. */
  readonly weights: Float32Array
}

function taps(source: number, target: number): Taps {
  const scale = source / target
  const radius = Math.max(1, scale)
  const count = Math.min(source, Math.ceil(radius) * 2 + 1)
  const first = new Int32Array(target)
  const weights = new Float32Array(target * count)
  for (let i = 0; i < target; i++) {
    const center = (i + 0.5) * scale - 0.5
    const start = Math.max(0, Math.min(source - count, Math.ceil(center - radius)))
    first[i] = start
    let sum = 0
    for (let k = 0; k < count; k++) {
      const weight = Math.max(0, 1 - Math.abs(start + k - center) / radius)
      weights[i * count + k] = weight
      sum += weight
    }
    for (let k = 0; k < count; k++) weights[i * count + k] = (weights[i * count + k] ?? 0) / sum
  }
  return { first, count, weights }
}

/** A rectangle of interleaved bytes, rows `stride` bytes apart. */
export interface Bytes {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: 1 | 3
  readonly stride: number
}

/**
 * Resizes to planar floats: one plane of `width` x `height` for each channel, values 0..255.
 * Works down a column of rows: first across, then down, so each source pixel is touched once or twice.
 */
export function resample(source: Bytes, width: number, height: number): Float32Array[] {
  const across = taps(source.width, width)
  const down = taps(source.height, height)
  const planes: Float32Array[] = []
  for (let channel = 0; channel < source.channels; channel++) {
    const rows = resampleAcross(source, channel, across, width)
    planes.push(resampleDown(rows, width, down, height))
  }
  return planes
}

function resampleAcross(source: Bytes, channel: number, { first, count, weights }: Taps, width: number): Float32Array {
  const { data, channels, stride, height } = source
  const rows = new Float32Array(width * height)
  for (let y = 0; y < height; y++) {
    const row = y * stride + channel
    for (let x = 0; x < width; x++) {
      let sum = 0
      let at = row + (first[x] as number) * channels
      for (let k = x * count, end = k + count; k < end; k++, at += channels) sum += (weights[k] as number) * (data[at] as number)
      rows[y * width + x] = sum
    }
  }
  return rows
}

function resampleDown(rows: Float32Array, width: number, { first, count, weights }: Taps, height: number): Float32Array {
  const plane = new Float32Array(width * height)
  for (let y = 0; y < height; y++) {
    const target = y * width
    for (let k = 0; k < count; k++) {
      const weight = weights[y * count + k] as number
      if (weight === 0) continue
      const from = ((first[y] as number) + k) * width
      for (let x = 0; x < width; x++) plane[target + x] = (plane[target + x] as number) + weight * (rows[from + x] as number)
    }
  }
  return plane
}
