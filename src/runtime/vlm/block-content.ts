import type { BlockKind, Flag } from '../../schema/block-kind.ts'

/** A table as a model wrote it: cells tile the grid, each place is covered once. */
export interface ModelTable {
  readonly rows: number
  readonly columns: number
  readonly cells: readonly ModelCell[]
}

export interface ModelCell {
  readonly row: number
  readonly column: number
  readonly rowSpan: number
  readonly columnSpan: number
  readonly header: boolean
  /** Plain text; inline formulas as `\( … \)`. */
  readonly text: string
}

/** What a model says of a block, cleaned: one shape for all families. */
export interface BlockContent {
  /** May differ from that of the layout: a picture that is a table, an image that is a chart. */
  readonly kind: BlockKind
  /** Plain text; inline formulas as `\( … \)`, LaTeX without delimiters for a formula, the code without its fence. Empty for a picture without words. */
  readonly text: string
  readonly table?: ModelTable | undefined
  /** Without delimiters. */
  readonly latex?: string | undefined
  /** Of code; in lower case. */
  readonly language?: string | undefined
  /** What a picture is, by the model's word: `bar`, `flowchart`, `natural_image`. */
  readonly subKind?: string | undefined
  /** What the model wrote, untouched but for a bound on its length. */
  readonly raw: string
  readonly flags: readonly Flag[]
}
