import type { LayoutCell, LayoutTable } from '../../src/schema/page.ts'
import type { FoundTable, PageGeometry } from '../../src/stages/layout/page-geometry.ts'

/**
 * What is wrong with a found table: cells that overlap or leave places free, sizes that are not what the cells say,
 * words or regions of its atoms that stand in no cell or in two. Empty when nothing is.
 */
export function tableFaults(page: PageGeometry, found: FoundTable): string[] {
  return [...tilingFaults(found.table), ...placingFaults(page, found)]
}

function tilingFaults({ rows, columns, headerRows, cells }: LayoutTable): string[] {
  const faults: string[] = []
  const covered = new Uint8Array(rows * columns)
  for (const cell of cells) {
    if (cell.header !== cell.row < headerRows) faults.push(`cell ${cell.row},${cell.column} is marked against headerRows`)
    for (const [r, c] of placesOf(cell)) {
      if (r >= rows || c >= columns) faults.push(`cell ${cell.row},${cell.column} leaves the grid`)
      else if (covered[r * columns + c] === 1) faults.push(`place ${r},${c} is covered twice`)
      else covered[r * columns + c] = 1
    }
  }
  return covered.includes(0) ? [...faults, 'a place is covered by no cell'] : faults
}

const placesOf = (cell: LayoutCell): (readonly [number, number])[] =>
  Array.from({ length: cell.rowSpan * cell.columnSpan }, (_, i) => [cell.row + Math.floor(i / cell.columnSpan), cell.column + (i % cell.columnSpan)] as const)

function placingFaults(page: PageGeometry, found: FoundTable): string[] {
  const placed = new Map<string, number>()
  const count = (what: string) => placed.set(what, (placed.get(what) ?? 0) + 1)
  for (const line of found.table.cells.flatMap((cell) => cell.lines)) {
    for (const word of line.words ?? []) count(`word ${word}`)
    if (line.region !== undefined) count(`region ${line.region}`)
  }
  const wanted = [...found.atoms].flatMap((index) => {
    const atom = page.atoms[index]
    return atom?.region === undefined ? (atom?.words ?? []).map((w) => `word ${w}`) : [`region ${atom.region}`]
  })
  return [
    ...[...placed].filter(([, times]) => times > 1).map(([what, times]) => `${what} stands in ${times} cells`),
    ...wanted.filter((what) => !placed.has(what)).map((what) => `${what} stands in no cell`),
  ]
}
