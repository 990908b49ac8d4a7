import { height, width } from '../../../geometry/box.ts'
import type { BlockKind } from '../../../schema/block-kind.ts'
import type { Box } from '../../../schema/geometry.ts'
import type { PageBlock, PageResult } from '../../../schema/page.ts'
import { type EstimatedType, estimateType } from './estimated-type.ts'

/** Latin type: cap height to descender is about this share of the line box that a reader reports. */
const sizeOfLineBox = 0.8

/** Kinds whose boxes hold nothing but lines of text. */
const textKinds: ReadonlySet<BlockKind> = new Set([
  ...(['heading', 'text', 'list_item', 'caption', 'footnote', 'reference', 'index_entry', 'page_header', 'page_footer', 'page_number', 'aside'] as const),
])

/**
 * Type size in points: as the text layer says, else from the height of the printed lines, else, where only a box is known, as its text fills it; 0 when
 * nothing tells.
 */
export function typeSize(block: PageBlock, page: Pick<PageResult, 'width' | 'height'>): number {
  if (block.look && block.look.sizePt > 0) return block.look.sizePt
  if (block.lines.length === 0) return Math.round(estimatedType(block, page).sizePt * 2) / 2
  const heights = block.lines.map((line) => extents(block, line.box, page).across).sort((a, b) => a - b)
  return (heights[heights.length >> 1] ?? 0) * sizeOfLineBox
}

/** Whether more is known of a block's type than its box. */
export const isMeasured = (block: PageBlock): boolean => block.look !== undefined || block.lines.length > 0

/** Printed lines of a block, at least one: counted, or guessed where only its box is known. */
export const printedLines = (block: PageBlock, page: Pick<PageResult, 'width' | 'height'>): number =>
  Math.max(1, block.lines.length > 0 ? block.lines.length : estimatedType(block, page).lines)

function estimatedType(block: PageBlock, page: Pick<PageResult, 'width' | 'height'>): EstimatedType {
  if (!textKinds.has(block.kind)) return { sizePt: 0, lines: 0 }
  const { along, across } = extents(block, block.box, page)
  return estimateType(block.text, along, across)
}

/** Points of a box along the lines of its block and across them. */
function extents(block: PageBlock, box: Box, page: Pick<PageResult, 'width' | 'height'>): { along: number; across: number } {
  const [x, y] = [width(box) * page.width, height(box) * page.height]
  return block.writingMode === 'vertical' || block.angle % 180 === 90 ? { along: y, across: x } : { along: x, across: y }
}

/** How a block looks, with a size always. */
export interface MeasuredLook {
  readonly sizePt: number
  readonly bold: boolean
  readonly italic: boolean
  readonly capitals: boolean
  readonly font: string
  /** Measured on a picture: the size may be off by a tenth. */
  readonly rough: boolean
}

export function measuredLook(block: PageBlock, page: Pick<PageResult, 'width' | 'height'>): MeasuredLook {
  const { look } = block
  return {
    sizePt: typeSize(block, page),
    bold: look?.bold ?? false,
    italic: look?.italic ?? false,
    capitals: look?.capitals ?? isCapitals(block.text),
    font: look?.font ?? '',
    rough: block.source !== 'text-layer' || !look,
  }
}

function isCapitals(text: string): boolean {
  if (/[a-z]/.test(text)) return false
  const letters = text.replace(/[^\p{Lu}\p{Ll}]/gu, '')
  return letters.length >= 3 && letters === letters.toUpperCase()
}
