import { type ListMarker, listMarker } from '../../../text/list-marker.ts'
import type { DraftBlock } from '../draft-block.ts'
import type { PageContext } from './page-context.ts'

interface Item {
  readonly block: DraftBlock
  readonly found: ListMarker
  readonly indent: number
}

/**
 * Marks list items with marker and depth. Bullets are sure by themselves; numbers and letters need a neighbour that
 * counts on, or an indent, or a hanging text: a lone "1. …" may be a heading or a date.
 */
export function markListItems(blocks: readonly DraftBlock[], context: PageContext): void {
  const items: (Item | undefined)[] = blocks.map((block) => {
    if (block.kind !== 'text') return undefined
    const line = block.lines[0]
    const found = line && (listMarker(line.text) ?? symbolMarker(block, context))
    return found && line ? { block, found, indent: line.box[0] } : undefined
  })
  for (const [i, item] of items.entries()) {
    if (!item || !isItem(item, i, items, context)) continue
    item.block.kind = 'list_item'
    item.block.marker = item.found.marker
  }
  setDepths(blocks)
}

function isItem(item: Item, at: number, items: readonly (Item | undefined)[], context: PageContext): boolean {
  const { found, block } = item
  if (found.rest === '' && block.lines.length < 2) return false
  if (found.style === 'bullet' || found.style === 'checkbox' || found.style === 'circled') return !found.unsure || hasNeighbour(item, at, items)
  if (hasNeighbour(item, at, items)) return true
  if (found.unsure) return false
  const em = block.lines[0]?.em ?? context.body.sizePt
  const isInset = item.indent - block.column[0] > 0.7 * em
  return isInset || hangs(block)
}

/** An item of the same kind of marker, counting up, among the next or last few blocks. */
function hasNeighbour(item: Item, at: number, items: readonly (Item | undefined)[]): boolean {
  for (let step = -6; step <= 6; step++) {
    const other = items[at + step]
    if (!other || step === 0 || other.found.style !== item.found.style) continue
    if (item.found.ordinal === undefined || other.found.ordinal === undefined) return true
    if (other.found.ordinal - item.found.ordinal === Math.sign(step)) return true
  }
  return false
}

/** Further lines stand under the text, right of the marker. */
function hangs(block: DraftBlock): boolean {
  const [first, second] = block.lines
  return first !== undefined && second !== undefined && second.box[0] - first.box[0] > 0.6 * first.em
}

/** A lone glyph of a symbol font before the text is a bullet, whatever character it is mapped to. */
function symbolMarker(block: DraftBlock, context: PageContext): ListMarker | undefined {
  const index = block.lines[0]?.atoms[0]?.words?.[0]
  const word = index === undefined ? undefined : context.page.words[index]
  const style = word && context.page.styles[word.style]
  if (!word || !style || word.text.length > 2) return undefined
  if (!/symbol|dingbats|bullet|webding|wingding/i.test(style.font)) return undefined
  const text = block.lines[0]?.text ?? ''
  return { marker: word.text, rest: text.slice(word.text.length).trimStart(), style: 'bullet' }
}

/** Depth by indent within a run of items: further in is deeper. */
function setDepths(blocks: readonly DraftBlock[]): void {
  let stack: number[] = []
  let column = blocks[0]?.column
  for (const block of blocks) {
    if (block.kind !== 'list_item') {
      // A paragraph inside a list, or a figure, ends the run only when it is back at the left.
      if (stack.length > 0 && (block.kind === 'heading' || block.box[0] <= (stack[0] ?? 0) - 1)) stack = []
      continue
    }
    if (block.column !== column) {
      stack = []
      column = block.column
    }
    const line = block.lines[0]
    const indent = line?.rightToLeft ? -line.box[2] : (line?.box[0] ?? 0)
    const slack = 0.6 * (line?.em ?? 10)
    while (stack.length > 0 && indent < (stack.at(-1) ?? 0) - slack) stack.pop()
    if (stack.length === 0 || indent > (stack.at(-1) ?? 0) + slack) stack.push(indent)
    block.depth ??= stack.length - 1
  }
}
