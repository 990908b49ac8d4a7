import { furnitureKinds } from '../../../schema/block-kind.ts'
import { listMarker } from '../../../text/list-marker.ts'
import { type Draft, isHidden } from './draft.ts'

interface OpenItem {
  readonly id: string
  readonly style: string
  /** Left edge, right edge for right-to-left text; fraction of the page. */
  readonly indent: number
  readonly page: number
}

/** Indents that differ by less are the same. */
const sameIndent = 0.008
const deepest = 8

/**
 * Depth of list items, kept over columns and pages: a marker style that is open already goes back to its own
 * depth; a new style or a larger indent opens the next. Every nested item names its parent item.
 */
export class ListNesting {
  #open: OpenItem[] = []
  /** Added to the depths that a page counts for itself while a list of the page before goes on. */
  #shift = 0

  /** Drafts of one page, in order. */
  nest(drafts: readonly Draft[]): void {
    for (const draft of drafts) {
      if (furnitureKinds.has(draft.kind) || isHidden(draft)) continue
      if (draft.kind === 'list_item') this.#place(draft)
      // Figures and paragraphs between items do not end a list; a heading or a table does.
      else if (draft.kind === 'heading' || draft.kind === 'table' || draft.kind === 'reference') this.#end()
    }
  }

  #place(draft: Draft): void {
    const { origin } = draft
    const style = styleOf(draft)
    if (style === '') {
      // The rest of an item that was broken by the end of a column: it may yet join.
      draft.depth ??= Math.max(0, this.#open.length - 1)
      return
    }
    const indent = origin.direction === 'rtl' ? 1 - origin.box[2] : origin.box[0]
    const depth = Math.min(deepest, draft.depth === undefined ? this.#depth(style, indent, origin.page) : this.#shifted(draft.depth, style, origin.page))
    this.#open.length = Math.min(this.#open.length, depth)
    draft.depth = depth
    const parent = this.#open.at(-1)
    if (parent && depth > 0) draft.parent ??= parent.id
    this.#open.push({ id: origin.id, style, indent, page: origin.page })
  }

  #end(): void {
    this.#open = []
    this.#shift = 0
  }

  #shifted(depth: number, style: string, page: number): number {
    const top = this.#open.at(-1)
    if (top && top.page !== page) {
      const known = this.#open.findLastIndex((item) => item.style === style)
      this.#shift = Math.max(0, known - depth)
    }
    return depth + this.#shift
  }

  #depth(style: string, indent: number, page: number): number {
    const top = this.#open.at(-1)
    if (!top) return 0
    // In another column or page the margin is another: only the marker tells.
    const known = this.#open.findLastIndex((item) => item.style === style && (item.page !== page || Math.abs(item.indent - indent) <= sameIndent))
    if (known >= 0) return known
    if (top.page !== page) return 0
    if (indent > top.indent + sameIndent) return this.#open.length
    const level = this.#open.findLastIndex((item) => item.indent <= indent + sameIndent)
    return Math.max(0, level)
  }
}

/** Bullets are told apart by their sign, numbers by their kind. */
function styleOf(draft: Draft): string {
  const marker = draft.origin.marker ?? ''
  const known = listMarker(`${marker} x`) ?? listMarker(draft.text)
  return known ? (known.style === 'bullet' ? known.marker : known.style) : marker
}
