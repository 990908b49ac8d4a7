// Pictures as arrays of bytes, changed with whole numbers and the four basic operations only: the same bytes on every machine.

/** Numbers 0..1 from a seed (mulberry32). */
export function randomNumbers(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Close to a normal distribution of mean 0 and deviation 1: the sum of twelve equal ones. */
export function bellShaped(random) {
  let sum = -6
  for (let i = 0; i < 12; i++) sum += random()
  return sum
}

/** Grey at a place between pixels; `outside` beyond the edge. */
export function sample({ data, width, height }, x, y, outside) {
  const left = Math.floor(x)
  const top = Math.floor(y)
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) return outside
  const [fx, fy] = [x - left, y - top]
  const at = top * width + left
  const upper = data[at] + (data[at + 1] - data[at]) * fx
  const lower = data[at + width] + (data[at + width + 1] - data[at + width]) * fx
  return upper + (lower - upper) * fy
}

export const toByte = (value) => (value < 0 ? 0 : value > 255 ? 255 : Math.round(value))

/**
 * The projective map that takes the unit square's corners (0,0) (1,0) (1,1) (0,1) to four points, and its inverse
 * as a function from a point to the square. Heckbert, "Fundamentals of Texture Mapping", 1989.
 */
export function intoSquare([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3]
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3]
  const det = dx1 * dy2 - dx2 * dy1
  const g = (dx3 * dy2 - dx2 * dy3) / det
  const h = (dx1 * dy3 - dx3 * dy1) / det
  const [a, b, c] = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0]
  const [d, e, f] = [y1 - y0 + g * y1, y3 - y0 + h * y3, y0]
  const inverse = [e - f * h, c * h - b, b * f - c * e, f * g - d, a - c * g, c * d - a * f, d * h - e * g, b * g - a * h, a * e - b * d]
  return (x, y) => {
    const w = inverse[6] * x + inverse[7] * y + inverse[8]
    return [(inverse[0] * x + inverse[1] * y + inverse[2]) / w, (inverse[3] * x + inverse[4] * y + inverse[5]) / w]
  }
}
