import type { GridCell } from './grid.ts'
import type { Lattice } from './lattice.ts'

/**
 * The cells of a lattice: places with no line between them are one cell. A connected area that is no rectangle
 * (a line is missing in part) is cut into rectangles, each as wide and then as high as it can be.
 */
export function latticeCells(lattice: Lattice): GridCell[] {
  const rows = lattice.ys.length - 1
  const columns = lattice.xs.length - 1
  const area = areas(lattice, rows, columns)
  const taken = new Uint8Array(rows * columns)
  const cells: GridCell[] = []
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column
      if (taken[at] === 1) continue
      const own = area[at]
      let columnSpan = 1
      while (column + columnSpan < columns && taken[at + columnSpan] === 0 && area[at + columnSpan] === own) columnSpan++
      let rowSpan = 1
      while (row + rowSpan < rows && allOf(area, taken, (row + rowSpan) * columns + column, columnSpan, own)) rowSpan++
      for (let r = row; r < row + rowSpan; r++) taken.fill(1, r * columns + column, r * columns + column + columnSpan)
      cells.push({ row, column, rowSpan, columnSpan, bits: [] })
    }
  }
  return cells
}

function allOf(area: Int32Array, taken: Uint8Array, from: number, count: number, value: number | undefined): boolean {
  for (let i = from; i < from + count; i++) if (area[i] !== value || taken[i] === 1) return false
  return true
}

/** Numbers the areas that lines enclose, by flooding from place to place. */
function areas(lattice: Lattice, rows: number, columns: number): Int32Array {
  const area = new Int32Array(rows * columns).fill(-1)
  const queue: number[] = []
  for (let start = 0; start < area.length; start++) {
    if (area[start] !== -1) continue
    area[start] = start
    queue.push(start)
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      const row = Math.floor(at / columns)
      const column = at % columns
      const visit = (next: number) => {
        if (area[next] !== -1) return
        area[next] = start
        queue.push(next)
      }
      if (column + 1 < columns && lattice.upright[(column + 1) * rows + row] === 0) visit(at + 1)
      if (column > 0 && lattice.upright[column * rows + row] === 0) visit(at - 1)
      if (row + 1 < rows && lattice.flat[(row + 1) * columns + column] === 0) visit(at + columns)
      if (row > 0 && lattice.flat[row * columns + column] === 0) visit(at - columns)
    }
  }
  return area
}
