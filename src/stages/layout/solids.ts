import type { PointBox } from '../../schema/text-layer.ts'
import type { DraftBlock } from './draft-block.ts'
import type { FoundFigure } from './figures/find-figures.ts'
import type { Atom, FoundTable } from './page-geometry.ts'

/** Something that the reading order treats as one thing. `box` lies on the upright page. */
export type Solid =
  | { readonly kind: 'table'; readonly box: PointBox; readonly table: FoundTable }
  | { readonly kind: 'figure'; readonly box: PointBox; readonly figure: FoundFigure; readonly labels: readonly Atom[] }
  | TurnedSolid

/** Writing turned against the rest of the page, already in blocks. */
export interface TurnedSolid {
  readonly kind: 'turned'
  readonly box: PointBox
  readonly blocks: readonly DraftBlock[]
}
