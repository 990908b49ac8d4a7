import type { PointBox } from '../../../schema/text-layer.ts'
import { type AlignedGrid, alignedGrid } from './aligned-grid.ts'
import { type Evidence, isRuledTable, isWhiteTable, weigh } from './evidence.ts'
import { headerRowCount } from './header-rows.ts'
import type { Segments } from './segments.ts'
import { segmentsIn } from './segments.ts'
import { bitsOfAtom, type TableView, type ViewAtom } from './table-view.ts'

/** A table whose grid white space decided, wholly or in part. */
export interface AlignedTable {
  readonly aligned: AlignedGrid
  readonly evidence: Evidence
  readonly headerRows: number
}

/** Aligns what stands in a box; undefined when there are not two columns and two rows. */
export function alignBox(
  view: TableView,
  box: PointBox,
  atoms: readonly ViewAtom[],
  segments: Segments,
  ruled: boolean,
  frames: readonly PointBox[] = [],
): AlignedTable | undefined {
  const own = atoms.filter((atom) => atom.own)
  const inside = segmentsIn(segments, box, 1.5)
  const height = box[3] - box[1]
  const borders = inside.vertical
    .filter((v) => !v.soft && v.at > box[0] + 4 && v.at < box[2] - 4 && Math.min(v.to, box[3]) - Math.max(v.from, box[1]) > 0.6 * height)
    .map((v) => v.at)
  const aligned = alignedGrid({
    box,
    bits: own.flatMap((atom) => bitsOfAtom(view, atom)),
    rules: inside.horizontal.filter((h) => h.at > box[1] + 1 && h.at < box[3] - 1),
    borders: withoutDoubles(borders),
    ruled,
    frames,
  })
  if (!aligned) return undefined
  return { aligned, evidence: weigh(aligned, symbolicShare(view, own)), headerRows: headerRowCount(view, aligned.grid, aligned.headRows) }
}

export const isAlignedTable = (table: AlignedTable, ruled: boolean): boolean =>
  ruled ? isRuledTable(table.evidence) : isWhiteTable(table.evidence, table.headerRows > 0)

function withoutDoubles(borders: readonly number[]): number[] {
  const kept: number[] = []
  for (const at of [...borders].sort((a, b) => a - b)) if (at - (kept.at(-1) ?? -Infinity) > 4) kept.push(at)
  return kept
}

/** Share of the atoms that are set in a font of mathematical signs. */
function symbolicShare(view: TableView, atoms: readonly ViewAtom[]): number {
  const symbolic = atoms.filter((atom) => view.page.atoms[atom.index]?.style?.symbolic === true).length
  return symbolic / Math.max(1, atoms.length)
}
