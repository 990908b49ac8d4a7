import type { Box } from '../schema/geometry.ts'

/** Works for fractions and points alike. */
export const width = (b: Box): number => b[2] - b[0]
export const height = (b: Box): number => b[3] - b[1]
export const area = (b: Box): number => Math.max(0, width(b)) * Math.max(0, height(b))
export const centerX = (b: Box): number => (b[0] + b[2]) / 2
export const centerY = (b: Box): number => (b[1] + b[3]) / 2

/** The smallest box around both. */
export const union = (a: Box, b: Box): Box => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]

/** The smallest box around all; `[0, 0, 0, 0]` for none. */
export function unionAll(boxes: Iterable<Box>): Box {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  let some = false
  for (const box of boxes) {
    if (box[0] < x0) x0 = box[0]
    if (box[1] < y0) y0 = box[1]
    if (box[2] > x1) x1 = box[2]
    if (box[3] > y1) y1 = box[3]
    some = true
  }
  return some ? [x0, y0, x1, y1] : [0, 0, 0, 0]
}

/** Length of the common part of two intervals, 0 when they do not meet. */
export const overlap = (a0: number, a1: number, b0: number, b1: number): number => Math.max(0, Math.min(a1, b1) - Math.max(a0, b0))
export const overlapX = (a: Box, b: Box): number => overlap(a[0], a[2], b[0], b[2])
export const overlapY = (a: Box, b: Box): number => overlap(a[1], a[3], b[1], b[3])
export const intersection = (a: Box, b: Box): number => overlapX(a, b) * overlapY(a, b)

/** Share of `inner` that lies in `outer`, 0..1. */
export const coverage = (inner: Box, outer: Box): number => {
  const whole = area(inner)
  return whole > 0 ? intersection(inner, outer) / whole : 0
}

export const contains = (outer: Box, x: number, y: number): boolean => x >= outer[0] && x <= outer[2] && y >= outer[1] && y <= outer[3]

/** Points to fractions of the page, clamped to it. */
export function toFractions(b: Box, pageWidth: number, pageHeight: number): Box {
  return [fraction(b[0] / pageWidth), fraction(b[1] / pageHeight), fraction(b[2] / pageWidth), fraction(b[3] / pageHeight)]
}

const fraction = (v: number): number => Math.round(Math.min(1, Math.max(0, v)) * 1e5) / 1e5
