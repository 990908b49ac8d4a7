import { expect } from 'vitest'
import type { ModelTable } from '../../src/schema/vlm-block.ts'

/** Fails unless the cells cover each place of the grid exactly once. */
export function expectTiled({ rows, columns, cells }: ModelTable): void {
  const covered = new Uint8Array(rows * columns)
  for (const { row, column, rowSpan, columnSpan } of cells) {
    expect(row + rowSpan).toBeLessThanOrEqual(rows)
    expect(column + columnSpan).toBeLessThanOrEqual(columns)
    for (let y = row; y < row + rowSpan; y++) for (let x = column; x < column + columnSpan; x++) covered[y * columns + x] = (covered[y * columns + x] ?? 0) + 1
  }
  expect(covered.every((times) => times === 1)).toBe(true)
}
