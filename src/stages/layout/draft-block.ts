import type { BlockKind, Flag } from '../../schema/block-kind.ts'
import type { LayoutTable } from '../../schema/page.ts'
import type { PointBox } from '../../schema/text-layer.ts'
import type { PrintedLine } from './lines/printed-line.ts'
import type { Atom } from './page-geometry.ts'

/** A block while its kind is still being decided. Boxes are in the frame in which lines run left to right. */
export interface DraftBlock {
  kind: BlockKind
  lines: PrintedLine[]
  /** Its line breaks are meant. */
  brokenByHand?: boolean
  box: PointBox
  /** The column it stands in. */
  readonly column: PointBox
  /** White above, to the block or line before it in the column, in points; Infinity at the top of a column. */
  readonly whiteAbove: number
  readonly whiteBelow: number
  /** Last of its column. */
  readonly endsColumn: boolean
  /** Of a table or figure: its place on the upright page, in points. */
  area?: PointBox
  table?: LayoutTable
  /** Labels inside a figure. */
  labels?: readonly Atom[]
  level?: number
  marker?: string
  depth?: number
  parent?: DraftBlock
  alt?: string
  /** Text that the block says instead of its lines: a form field's label and value. */
  content?: string
  /** Direction against the upright page; 0 when absent. */
  angle?: number
  vertical?: boolean
  flags: Flag[]
}

/** The first line: what most rules about beginnings need. */
export const firstText = (block: DraftBlock): string => block.lines[0]?.text ?? ''

export const draftText = (block: DraftBlock): string => block.lines.map((l) => l.text).join(' ')
