import { centerX, centerY, height, width } from '../../../geometry/box.ts'
import type { Box } from '../../../schema/geometry.ts'
import type { PageBlock, PageResult } from '../../../schema/page.ts'
import { typeSize } from './block-look.ts'
import { isPageNumber, maxFurnitureChars, numberless } from './repeated-text.ts'

export type Zone = 'top' | 'bottom' | 'left' | 'right'

/** A block at the edge of a page that may be a running header, footer or page number. */
export interface EdgeBlock {
  readonly block: PageBlock
  readonly page: number
  readonly zone: Zone
  /** Position across the zone's edge, fraction of the page. */
  readonly at: number
  readonly key: string
  readonly numbers: readonly number[]
  readonly sizePt: number
  /** A single line with nothing between it and the edge of the page. */
  readonly outermost: boolean
  /** Outermost, with white space between it and the text. */
  readonly detached: boolean
}

/** Furniture is sought in these outer parts of a page, and the outermost blocks of it only. */
const outerPart = 0.25
const outerSide = 0.08
const outermostBlocks = 8
/** The blocks at the edges of a page, outermost first; long texts end the search from their side. */
export function edgeBlocks(page: PageResult): EdgeBlock[] {
  const seen = page.blocks.filter((b) => !b.flags.includes('hidden-text') && (b.text.trim() !== '' || b.image !== undefined))
  const found: EdgeBlock[] = []
  const taken = new Set<PageBlock>()
  const take = (block: PageBlock, zone: Zone, at: number, outermost: boolean, detached: boolean) => {
    if (taken.has(block)) return
    taken.add(block)
    found.push({ block, page: page.index, zone, at, ...textKey(block), sizePt: typeSize(block, page), outermost, detached })
  }
  for (const block of seen) {
    const x = centerX(block.box)
    if (width(block.box) < outerSide && height(block.box) > width(block.box) && (x < outerSide || x > 1 - outerSide) && isShort(block)) {
      take(block, x < 0.5 ? 'left' : 'right', x, false, false)
    }
  }
  const down = seen.filter((b) => !taken.has(b)).sort((a, b) => a.box[1] - b.box[1])
  walk(
    down,
    (box) => box[1],
    (block) => centerY(block.box) <= outerPart,
    (block, outermost, detached) => take(block, 'top', centerY(block.box), outermost, detached),
  )
  const up = seen.filter((b) => !taken.has(b)).sort((a, b) => b.box[3] - a.box[3])
  walk(
    up,
    (box) => 1 - box[3],
    (block) => centerY(block.box) >= 1 - outerPart,
    (block, outermost, detached) => take(block, 'bottom', centerY(block.box), outermost, detached),
  )
  return found
}

function walk(
  sorted: readonly PageBlock[],
  depth: (box: Box) => number,
  inPart: (block: PageBlock) => boolean,
  take: (block: PageBlock, outermost: boolean, detached: boolean) => void,
): void {
  const firstDepth = sorted[0] ? depth(sorted[0].box) : 0
  for (const block of sorted.slice(0, outermostBlocks)) {
    if (!inPart(block) || !isShort(block)) return
    const lineHeight = height(block.box)
    const outermost = depth(block.box) - firstDepth <= lineHeight * 0.6 && block.lines.length <= 1
    const next = sorted.find((other) => depth(other.box) - depth(block.box) > lineHeight * 0.6)
    const gap = next ? depth(next.box) - depth(block.box) - lineHeight : 1
    take(block, outermost, outermost && gap >= lineHeight * 1.2)
  }
}

/** At most three printed lines; a table or a picture only as small as a letterhead. */
function isShort(block: PageBlock): boolean {
  if (block.kind === 'table' || block.kind === 'figure' || block.kind === 'chart')
    return width(block.box) * height(block.box) < 0.06 && height(block.box) < 0.12
  return block.text.length <= maxFurnitureChars && block.lines.length <= 3
}

/** Numbers make no difference to a line of text; in a table they are the content. A picture is known by its size. */
function textKey(block: PageBlock): { key: string; numbers: readonly number[] } {
  if (block.kind === 'table') return { key: `table ${block.text.replace(/\s+/g, ' ').trim().slice(0, maxFurnitureChars)}`, numbers: [] }
  if (block.text.trim() === '') return { key: `picture ${Math.round(width(block.box) * 200)} ${Math.round(height(block.box) * 200)}`, numbers: [] }
  return numberless(block.text)
}

/** The kind that furniture of a zone gets. */
export function furnitureKind(edge: EdgeBlock): 'page_header' | 'page_footer' | 'page_number' {
  if (edge.block.kind !== 'table' && isPageNumber(edge.block.text)) return 'page_number'
  return edge.zone === 'bottom' ? 'page_footer' : 'page_header'
}
