import type { BlockKind } from '../../../../schema/block-kind.ts'

/** What a block can be asked for. Each has its prompt. */
export type BlockTask = 'text' | 'table' | 'equation' | 'code' | 'char' | 'seal'

export interface BlockType {
  readonly kind: BlockKind
  /** Undefined for pictures. Those that hold others are asked about only where they hold none. */
  readonly task: BlockTask | undefined
  readonly container?: boolean
}

const type = (kind: BlockKind, task: BlockTask | undefined = 'text'): BlockType => ({ kind, task })

/** All names that the model gives. `algorithm` has no prompt of its own; `char` is a figure of data. */
export const blockTypes: ReadonlyMap<string, BlockType> = new Map([
  ['text', type('text')],
  ['title', type('heading')],
  ['table', type('table', 'table')],
  ['image', { kind: 'figure', task: undefined }],
  ['code', type('code', 'code')],
  ['algorithm', type('algorithm')],
  ['header', type('page_header')],
  ['footer', type('page_footer')],
  ['page_number', type('page_number')],
  ['page_footnote', type('footnote')],
  ['aside_text', type('aside')],
  ['equation', type('formula', 'equation')],
  ['equation_block', { ...type('formula', 'equation'), container: true }],
  ['ref_text', type('reference')],
  ['list', { ...type('list_item'), container: true }],
  ['phonetic', type('text')],
  ['table_caption', type('caption')],
  ['image_caption', type('caption')],
  ['code_caption', type('caption')],
  ['table_footnote', type('footnote')],
  ['image_footnote', type('footnote')],
  ['unknown', type('unknown')],
  ['seal', type('stamp', 'seal')],
  ['char', type('chart', 'char')],
])
