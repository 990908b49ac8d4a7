import type { Box, QuarterTurn } from '../schema/geometry.ts'

/** The page size after a clockwise quarter turn. */
export function turnSize(width: number, height: number, turn: QuarterTurn): { width: number; height: number } {
  return turn === 90 || turn === 270 ? { width: height, height: width } : { width, height }
}

/**
 * Where a point of a page of the given size lies after the page is turned clockwise.
 * Any unit; y down.
 */
export function turnPoint(x: number, y: number, width: number, height: number, turn: QuarterTurn): [number, number] {
  switch (turn) {
    case 0:
      return [x, y]
    case 90:
      return [height - y, x]
    case 180:
      return [width - x, height - y]
    case 270:
      return [y, width - x]
  }
}

/** As `turnPoint`, for a box. */
export function turnBox(box: Box, width: number, height: number, turn: QuarterTurn): Box {
  const [ax, ay] = turnPoint(box[0], box[1], width, height, turn)
  const [bx, by] = turnPoint(box[2], box[3], width, height, turn)
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)]
}
