import type { BlockKind } from '../../../../schema/block-kind.ts'

/** What a block can be asked for. Each has its prompt. */
export type BlockTask = 'text' | 'table' | 'equation' | 'picture'

interface BlockType {
  readonly kind: BlockKind
  /** Undefined for containers, which have no content but that of the blocks in them. */
  readonly task: BlockTask | undefined
}

const type = (kind: BlockKind, task: BlockTask = 'text'): BlockType => ({ kind, task })
const container = (kind: BlockKind): BlockType => ({ kind, task: undefined })

/** The names that MinerU's models give to blocks, and those that it knows from other layout models. */
const blockTypes: ReadonlyMap<string, BlockType> = new Map([
  ['text', type('text')],
  ['title', type('heading')],
  ['doc_title', type('heading')],
  ['paragraph_title', type('heading')],
  ['list_item', type('list_item')],
  ['list', container('text')],
  ['ref_text', type('reference')],
  ['phonetic', type('text')],
  ['code', type('code')],
  ['algorithm', type('algorithm')],
  ['equation', type('formula', 'equation')],
  ['equation_block', container('formula')],
  ['formula_number', type('text')],
  ['table', type('table', 'table')],
  ['image', type('figure', 'picture')],
  ['chart', type('chart', 'picture')],
  ['image_block', container('figure')],
  ['caption', type('caption')],
  ['image_caption', type('caption')],
  ['table_caption', type('caption')],
  ['code_caption', type('caption')],
  ['footnote', type('footnote')],
  ['image_footnote', type('footnote')],
  ['table_footnote', type('footnote')],
  ['page_footnote', type('footnote')],
  ['index', type('index_entry')],
  ['header', type('page_header')],
  ['footer', type('page_footer')],
  ['page_number', type('page_number')],
  ['aside_text', type('aside')],
])

/** Undefined for a name that no model of the family is meant to give. */
export const kindOf = (name: string): BlockKind | undefined => blockTypes.get(name)?.kind

/** What a block is asked for; a type from elsewhere is read as text. */
export const taskOf = (name: string): BlockTask | undefined => {
  const known = blockTypes.get(name)
  return known ? known.task : 'text'
}
