import { z } from 'zod'

/**
 * A rectangle `[x0, y0, x1, y1]`, x0 <= x1, y0 <= y1, origin top-left.
 * In everything that leaves a stage the unit is the fraction 0..1 of the upright page.
 */
export type Box = readonly [number, number, number, number]

export const boxSchema = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .readonly()
  .describe('[x0, y0, x1, y1] as fractions 0..1 of the upright page, origin top-left')

/** Quarter turns clockwise that bring the content upright. */
export const quarterTurns = [0, 90, 180, 270] as const
export type QuarterTurn = (typeof quarterTurns)[number]
export const quarterTurnSchema = z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)])
