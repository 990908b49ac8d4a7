import type { QuarterTurn } from '../../../schema/geometry.ts'

/** Text within so many degrees of a quarter turn is read as if it lay on it. */
const tolerance = 12

/**
 * The clockwise turn of the page that brings writing of this direction upright: lines run left to right and
 * follow each other downwards. Vertical columns, read downwards and from right to left, need the same turn as
 * lines that run downwards.
 */
export function readingTurn(angle: number, vertical: boolean): QuarterTurn {
  if (vertical) return 270
  switch (nearestQuarter(angle)) {
    case 90:
      return 270
    case 180:
      return 180
    case 270:
      return 90
    default:
      return 0
  }
}

/** Neither level nor a quarter turn: a watermark across the page or a label along a slanted line. */
export const isSlanted = (angle: number): boolean => {
  const rest = ((angle % 90) + 90) % 90
  return rest > tolerance && rest < 90 - tolerance
}

export const nearestQuarter = (angle: number): QuarterTurn => ((((Math.round(angle / 90) * 90) % 360) + 360) % 360) as QuarterTurn
