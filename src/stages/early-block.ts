import type { FoundBlock } from '../runtime/vlm/page-reader.ts'
import type { PageBlock, PageRef } from '../schema/page.ts'
import type { BlockContent } from '../schema/vlm-block.ts'
import { blockId } from './block-id.ts'
import { modelMarkdown } from './model-markdown.ts'
import { modelTable } from './model-table.ts'

/** A block as it is told before its page is read: what the model says of it, and nothing that the rest of the page would tell. */
export function earlyBlock(page: PageRef, { box, angle, flags }: FoundBlock, index: number, content: BlockContent, model: string): PageBlock {
  return {
    ...{ id: blockId(page, index), kind: content.kind, page: page.pageIndex, box, angle, order: index, text: content.text },
    markdown: modelMarkdown(content),
    lines: [],
    source: `vlm:${model}`,
    flags: [...new Set([...flags, ...content.flags])],
    ...(content.table && { table: modelTable(content.table) }),
    ...(content.latex !== undefined && { latex: content.latex }),
  }
}
