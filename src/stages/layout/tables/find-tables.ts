import { coverage } from '../../../geometry/box.ts'
import type { QuarterTurn } from '../../../schema/geometry.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import type { FoundTable, PageGeometry } from '../page-geometry.ts'
import { columnCount, type Grid, rowCount, withoutRow } from './grid.ts'
import { withHeaderAbove } from './header-above.ts'
import { headerRowCount } from './header-rows.ts'
import { layoutTable } from './layout-table.ts'
import { isLoose } from './loose-lattice.ts'
import { ruleStacks, uprightStacks } from './rule-stacks.ts'
import { atomsIn, drawnShare, filledLattices, isGrid, mostDrawn } from './ruled-tables.ts'
import { collectSegments, type Segments } from './segments.ts'
import { splitBands } from './split-bands.ts'
import { type TableView, turnOfAtom, viewPage } from './table-view.ts'
import { unruledCandidates } from './unruled-candidates.ts'
import { alignBox, isAlignedTable } from './white-tables.ts'

/** Fewer atoms of one direction than this make no table. */
const fewestAtoms = 4

/**
 * Finds the tables of a page with their grids: first those whose cells are drawn, then those between ruling lines or on
 * painted rows, last those that only white space makes. Words of a found table are in exactly one of its cells.
 * Boxes in points; cells in fractions of the page. Sorted from top to bottom.
 */
export function findTables(page: PageGeometry): FoundTable[] {
  const tables: FoundTable[] = []
  for (const turn of turnsOf(page)) {
    const view = viewPage(page, turn)
    const finder = new ViewTables(view, new Set(tables.flatMap((table) => [...table.atoms])))
    tables.push(...finder.find())
  }
  return tables.sort((a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0])
}

/** The tables of one view; each kind takes its atoms from the next. */
class ViewTables {
  private readonly view: TableView
  private readonly used: Set<number>
  private readonly tables: FoundTable[] = []
  private readonly boxes: PointBox[] = []

  constructor(view: TableView, used: Set<number>) {
    this.view = view
    this.used = used
  }

  find(): FoundTable[] {
    const { view } = this
    const segments = collectSegments(view)
    this.fromLattices(segments)
    const free = this.outside(segments)
    for (const stack of ruleStacks(view, free.horizontal, this.used)) this.align(stack.box, segments, true)
    for (const box of uprightStacks(free)) this.align(box, segments, true)
    const candidates = unruledCandidates(
      view.atoms.filter((atom) => atom.own && !this.used.has(atom.index)),
      free.horizontal,
    )
    for (const candidate of candidates) this.align(candidate.box, segments, false)
    return this.tables
  }

  private fromLattices(segments: Segments): void {
    for (const { box, grid, atoms } of filledLattices(this.view, segments, this.used)) {
      const loose = isLoose(grid) ? alignBox(this.view, box, atoms, segments, true, wideCells(grid)) : undefined
      if (loose && isAlignedTable(loose, true)) this.take(loose.aligned.grid, loose.headerRows, box)
      else if (isGrid(grid)) this.takeDrawn(splitBands(grid), box)
    }
  }

  private takeDrawn(grid: Grid, box: PointBox): void {
    this.take(grid, headerRowCount(this.view, grid, 0), box)
  }

  private align(box: PointBox, segments: Segments, ruled: boolean): void {
    if (drawnShare(this.view, box) > mostDrawn) return
    const atoms = atomsIn(this.view, box, this.used)
    const table = alignBox(this.view, box, atoms, segments, ruled)
    if (!table || !isAlignedTable(table, ruled)) return
    const whole = ruled ? { table, box } : withHeaderAbove(this.view, { table, box }, segments, this.used)
    const { grid, rows } = withoutTitle(whole.table.aligned.grid)
    this.take(grid, Math.max(0, whole.table.headerRows - rows), whole.box)
  }

  private take(grid: Grid, headerRows: number, box: PointBox): void {
    if (!saysSomething(grid)) return
    const found = layoutTable(this.view, grid, headerRows)
    for (const atom of found.atoms) this.used.add(atom)
    this.tables.push(found)
    this.boxes.push(box)
  }

  /** Lines that belong to no table yet. */
  private outside({ horizontal, vertical }: Segments): Segments {
    const isFree = (line: PointBox) => this.boxes.every((box) => coverage(grown(line, 0.1), grown(box, 2)) < 0.5)
    return {
      horizontal: horizontal.filter((h) => isFree([h.from, h.at, h.to, h.at])),
      vertical: vertical.filter((v) => isFree([v.at, v.from, v.at, v.to])),
    }
  }
}

/** Signs without a letter or a number are the marks of a drawing. Regions of a picture are still to be read. */
const saysSomething = (grid: Grid): boolean => grid.cells.some((cell) => cell.bits.some((bit) => bit.text === '' || /[\p{L}\p{N}]/u.test(bit.text)))

/** Rows at the top with one cell over all columns are the title above the table; `rows` were taken off. */
function withoutTitle(whole: Grid): { grid: Grid; rows: number } {
  let grid = whole
  let rows = 0
  while (rows < 4 && rowCount(grid) > 3 && grid.cells.some((cell) => cell.row === 0 && cell.columnSpan === columnCount(grid) && cell.rowSpan === 1)) {
    grid = withoutRow(grid, 0)
    rows++
  }
  return { grid, rows }
}

/** Boxes of the cells over several columns. */
const wideCells = ({ cells, xs, ys }: Grid): PointBox[] =>
  cells.filter((cell) => cell.columnSpan > 1).map((c) => [xs[c.column] ?? 0, ys[c.row] ?? 0, xs[c.column + c.columnSpan] ?? 0, ys[c.row + c.rowSpan] ?? 0])

const grown = ([x0, y0, x1, y1]: PointBox, by: number): PointBox => [x0 - by, y0 - by, x1 + by, y1 + by]

/** The turns that bring the page's writing upright, the most frequent first. */
function turnsOf(page: PageGeometry): QuarterTurn[] {
  const count = new Map<QuarterTurn, number>()
  for (const atom of page.atoms) {
    const turn = turnOfAtom(atom)
    if (turn !== undefined) count.set(turn, (count.get(turn) ?? 0) + 1)
  }
  return [...count]
    .filter(([, n]) => n >= fewestAtoms)
    .sort((a, b) => b[1] - a[1])
    .map(([turn]) => turn)
}
