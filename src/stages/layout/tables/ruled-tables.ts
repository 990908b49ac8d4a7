import { area, coverage, intersection } from '../../../geometry/box.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import { columnCount, type Grid, type GridCell, rowCount, tile, trimGrid } from './grid.ts'
import { findLattices, type Lattice, latticeBox } from './lattice.ts'
import { latticeCells } from './lattice-cells.ts'
import type { Segment, Segments } from './segments.ts'
import { type Bit, bitsOfAtom, type TableView, type ViewAtom } from './table-view.ts'

/** A lattice with what stands in it. */
export interface FilledLattice {
  readonly lattice: Lattice
  readonly box: PointBox
  readonly grid: Grid
  readonly atoms: readonly ViewAtom[]
}

/** An outline that is this little drawn is a chart of boxes and arrows, not a table. */
const leastFrame = 0.5

/**
 * Lattices of ruling lines that hold writing, largest first; those within another are left out: what they hold belongs to
 * the outer cell. Whether a lattice is a table, and whether its rows and columns are all drawn, is decided by others.
 */
export function filledLattices(view: TableView, segments: Segments, used: ReadonlySet<number>): FilledLattice[] {
  const lattices = latticesOf(view, segments)
    .map((lattice) => ({ lattice, box: latticeBox(lattice) }))
    .sort((a, b) => area(b.box) - area(a.box))
  const found: FilledLattice[] = []
  for (const { lattice, box } of lattices) {
    if (lattice.framed < leastFrame || drawnShare(view, box) > mostDrawn) continue
    if (found.some((outer) => coverage(box, outer.box) > 0.7)) continue
    const atoms = atomsIn(view, box, used)
    // Written in another direction: the table belongs to another view.
    const own = atoms.filter((atom) => atom.own).length
    if (own * 2 < atoms.length || own < 2) continue
    const cells = tile(lattice.ys.length - 1, lattice.xs.length - 1, latticeCells(lattice))
    const grid: Grid = { xs: lattice.xs, ys: lattice.ys, cells, ruled: true }
    fillCells(
      grid,
      atoms.flatMap((atom) => bitsOfAtom(view, atom)),
    )
    found.push({ lattice, box, grid: trimGrid(grid), atoms })
  }
  return found
}

/**
 * Drawn lines decide where there are any: the paint inside a drawn lattice shows padding and emphasis, not cells.
 * Elsewhere the borders of painted cells count like lines.
 */
function latticesOf(view: TableView, segments: Segments): Lattice[] {
  const size = (box: PointBox) => typicalSize(view, box)
  const isDrawn = (s: Segment) => !s.soft
  const drawn = findLattices({ horizontal: segments.horizontal.filter(isDrawn), vertical: segments.vertical.filter(isDrawn) }, size)
  if (segments.horizontal.every(isDrawn) && segments.vertical.every(isDrawn)) return drawn
  const boxes = drawn.filter((lattice) => lattice.framed >= leastFrame && lattice.xs.length > 2 && lattice.ys.length > 2).map(latticeBox)
  const isOutside = (x: number, y: number) => boxes.every(([x0, y0, x1, y1]) => x < x0 - 1 || x > x1 + 1 || y < y0 - 1 || y > y1 + 1)
  return findLattices(
    {
      horizontal: segments.horizontal.filter((s) => !s.soft || isOutside((s.from + s.to) / 2, s.at)),
      vertical: segments.vertical.filter((s) => !s.soft || isOutside(s.at, (s.from + s.to) / 2)),
    },
    size,
  )
}

/** A form may be nearly empty; a plot with a grid and a few labels is emptier still. */
const leastFilled = 0.15

/** Two rows and two columns that hold something: less is a frame around text. */
export function isGrid(grid: Grid): boolean {
  if (rowCount(grid) < 2 || columnCount(grid) < 2) return false
  const filled = grid.cells.filter((cell) => cell.bits.length > 0)
  const rows = new Set(filled.map((cell) => cell.row))
  const columns = new Set(filled.map((cell) => cell.column))
  return rows.size >= 2 && columns.size >= 2 && filled.length >= 3 && filled.length >= leastFilled * grid.cells.length
}

/** Atoms of which at least half of the length lies in the box. */
export function atomsIn(view: TableView, box: PointBox, used: ReadonlySet<number>): ViewAtom[] {
  return view.atoms.filter((atom) => !used.has(atom.index) && isMostlyIn(atom.box, box))
}

const isMostlyIn = (inner: PointBox, [x0, y0, x1, y1]: PointBox): boolean => {
  const y = (inner[1] + inner[3]) / 2
  if (y < y0 || y > y1) return false
  return Math.min(inner[2], x1) - Math.max(inner[0], x0) >= 0.5 * Math.max(1e-6, inner[2] - inner[0])
}

/** Puts each bit into the cell in which its middle lies; one outside goes to the nearest. */
export function fillCells(grid: Grid, bits: readonly Bit[]): void {
  const rows = rowCount(grid)
  const columns = columnCount(grid)
  const owner = new Array<GridCell | undefined>(rows * columns)
  for (const cell of grid.cells) {
    for (let r = cell.row; r < cell.row + cell.rowSpan; r++) owner.fill(cell, r * columns + cell.column, r * columns + cell.column + cell.columnSpan)
  }
  for (const bit of bits) {
    const row = bandOf(grid.ys, (bit.box[1] + bit.box[3]) / 2)
    const column = bandOf(grid.xs, (bit.box[0] + bit.box[2]) / 2)
    owner[row * columns + column]?.bits.push(bit)
  }
}

/** Index of the band between two borders in which `at` lies, clamped to the first and last. */
export function bandOf(borders: readonly number[], at: number): number {
  let band = 0
  while (band + 2 < borders.length && at >= (borders[band + 1] ?? 0)) band++
  return band
}

/** Median size of the writing in a box, 10 where there is none. */
export function typicalSize(view: TableView, box: PointBox): number {
  const sizes: number[] = []
  for (const atom of view.atoms) if (isMostlyIn(atom.box, box)) sizes.push(atom.sizePt)
  sizes.sort((a, b) => a - b)
  return sizes[sizes.length >> 1] ?? 10
}

/** More of a table than this is no picture: beyond it the lines belong to a chart or figure. */
export const mostDrawn = 0.3

/** Share of a box under pictures and drawings; a picture of the whole page is a scan and says nothing. */
export function drawnShare(view: TableView, box: PointBox): number {
  const page = view.width * view.height
  let drawn = 0
  for (const other of [...view.pictures, ...view.drawings]) {
    if (area(other) < 0.8 * page) drawn += intersection(box, other)
  }
  return drawn / Math.max(1, area(box))
}
