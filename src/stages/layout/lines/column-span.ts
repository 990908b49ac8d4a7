import { overlap } from '../../../geometry/box.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import type { PrintedLine } from './printed-line.ts'

/** Left and right edge of the room that a line had. */
export type Span = readonly [left: number, right: number]

/**
 * The room that each line of a column had: the width of the column, less what a figure beside the line takes.
 * The edges of the column are where several lines begin and end, not where a single one sticks out.
 */
export function lineSpans(lines: readonly PrintedLine[], obstacles: readonly PointBox[]): Span[] {
  const em = lines[0]?.em ?? 10
  const left = edge(
    lines.map((l) => l.box[0]).sort((a, b) => a - b),
    0.3 * em,
  )
  // Ragged lines rarely end at the same place: near is enough.
  const right = -edge(
    lines.map((l) => -l.box[2]).sort((a, b) => a - b),
    2 * em,
  )
  return lines.map((line) => {
    let from = Math.min(left, line.box[0])
    let to = Math.max(right, line.box[2])
    for (const box of obstacles) {
      if (overlap(line.box[1], line.box[3], box[1], box[3]) < 0.3 * line.em) continue
      if (box[2] <= line.box[0] + line.em * 0.3) from = Math.max(from, Math.min(line.box[0], box[2] + 0.5 * line.em))
      if (box[0] >= line.box[2] - line.em * 0.3) to = Math.min(to, Math.max(line.box[2], box[0] - 0.5 * line.em))
    }
    return [from, to] as const
  })
}

/** The outermost value that a twelfth of the lines, and two of them at least, reach within the tolerance. */
function edge(ascending: readonly number[], tolerance: number): number {
  const need = Math.min(ascending.length, Math.max(2, Math.ceil(ascending.length / 12)))
  for (let i = 0; i + need <= ascending.length; i++) {
    const value = ascending[i] ?? 0
    if ((ascending[i + need - 1] ?? Infinity) - value <= tolerance) return value
  }
  return ascending[0] ?? 0
}
