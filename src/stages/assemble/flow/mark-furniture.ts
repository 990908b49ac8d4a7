import { furnitureKinds } from '../../../schema/block-kind.ts'
import type { PageBlock, PageResult } from '../../../schema/page.ts'
import { typeSize } from '../survey/block-look.ts'
import { type EdgeBlock, edgeBlocks, furnitureKind } from '../survey/edge-blocks.ts'
import { isPageNumber } from '../survey/repeated-text.ts'
import type { Survey } from '../survey/survey.ts'
import type { Draft } from './draft.ts'

/** Furniture of a page's own making longer than this is text after all, unless it repeats. */
const maxUnrepeatedLines = 4

/**
 * Decides which drafts of a page are running headers, footers and page numbers: what repeats over the document,
 * the page's printed label, and what the page's layout was sure of. On its first page a document's title stays.
 */
export function markFurniture(drafts: readonly Draft[], page: PageResult, survey: Survey): void {
  const edges = new Map<PageBlock, EdgeBlock>(edgeBlocks(page).map((edge) => [edge.block, edge]))
  for (const draft of drafts) {
    const edge = edges.get(draft.origin)
    if (survey.title.blockIds.includes(draft.origin.id) || isOpening(draft.origin, page, survey)) {
      if (furnitureKinds.has(draft.kind)) draft.kind = 'heading'
    } else if (edge && (survey.furniture.repeats(edge) || isLabel(edge, page))) {
      draft.kind = furnitureKind(edge)
      draft.level = undefined
    } else if (furnitureKinds.has(draft.kind)) draft.kind = checkedKind(draft.origin)
  }
}

/** The largest text of the first page is what the document opens with, even if later pages repeat it or the layout took it for a header. */
function isOpening(block: PageBlock, page: PageResult, survey: Survey): boolean {
  if (page.index !== survey.firstPage || (block.kind !== 'heading' && !furnitureKinds.has(block.kind)) || isPageNumber(block.text)) return false
  const size = typeSize(block, page)
  if (size < survey.furniture.bodySizePt * 1.15 || survey.furniture.bodySizePt === 0) return false
  return page.blocks.every((other) => other === block || other.text.trim() === '' || typeSize(other, page) <= size * 0.98)
}

/** The page's label, alone at its edge. */
const isLabel = (edge: EdgeBlock, page: PageResult): boolean =>
  page.label !== undefined && edge.block.kind !== 'table' && edge.block.text.trim() === page.label && isPageNumber(edge.block.text)

/** What only its own page calls furniture: a number is a page number, several lines are text. */
function checkedKind(block: PageBlock): Draft['kind'] {
  if (isPageNumber(block.text)) return 'page_number'
  return block.lines.length > maxUnrepeatedLines ? 'text' : block.kind
}
