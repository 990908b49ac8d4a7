import { area, coverage } from '../../../../geometry/box.ts'
import { PagestreamError } from '../../../../schema/failure.ts'
import type { Box, QuarterTurn } from '../../../../schema/geometry.ts'
import type { FoundBlock } from '../../page-reader.ts'
import { withoutEndToken } from '../answer-text.ts'
import { kindOf } from './block-types.ts'

/** Blocks of a page; what a model finds beyond is cut off. A newspaper page has about 200. */
export const mostBlocks = 1000

/** What each block of the answer begins with. */
export const layoutElement = '<|box_start|>'
/**
 * What follows `layoutElement`: whole thousandths of the page, a label, a turn that must follow at once, and a tail. No part can match where its neighbour
 * does, so there is no way back to try.
 */
const elementPattern = /^(\d+)\s+(\d+)\s+(\d+)\s+(\d+)<\|box_end\|><\|ref_start\|>([\p{L}\p{N}_]+)<\|ref_end\|>(?:<\|rotate_(up|right|down|left)\|>)?/u
/** In the tail of a text: it goes on from the text before. */
const continuesMark = 'txt_contd_tgt'
const angles: Readonly<Record<string, QuarterTurn>> = { up: 0, right: 90, down: 180, left: 270 }

/** Written inside a table, these are part of it. */
const partsOfTables: ReadonlySet<string> = new Set(['text', 'equation', 'equation_block'])

/**
 * Reads the answer to `\nLayout Detection:`, in time in proportion to its length. `dropped`: pieces that look like blocks and are none, and those over the
 * bound, where the last block that is kept has the flag `cut`. Throws `answer-invalid` where the answer has words and names no block: another model, or a
 * server that strips special tokens.
 */
export function parseLayout(answer: string): { readonly blocks: FoundBlock[]; readonly dropped: number } {
  const elements = answer.split(layoutElement).slice(1)
  const found: FoundBlock[] = []
  let at = 0
  for (; at < elements.length && found.length < mostBlocks; at++) {
    const block = toBlock(elements[at] ?? '')
    if (block) found.push(block)
  }
  if (found.length === 0 && withoutEndToken(answer).trim() !== '')
    throw new PagestreamError('answer-invalid', 'reading the layout answer of the model: it names no block')
  const tables = found.filter(({ type }) => type === 'table')
  const blocks = found.filter((block) => !partsOfTables.has(block.type) || !tables.some((table) => coverage(block.box, table.box) >= 0.9))
  const last = blocks.at(-1)
  if (last && at < elements.length) blocks[blocks.length - 1] = { ...last, flags: ['cut'] }
  return { blocks, dropped: elements.length - found.length }
}

function toBlock(element: string): FoundBlock | undefined {
  const match = elementPattern.exec(element)
  const box = match && toBox(match.slice(1, 5).map(Number))
  const label = match?.[5]?.toLowerCase() ?? ''
  const type = label === 'unknown' ? 'image' : label
  const kind = kindOf(type)
  if (!match || !box || !kind) return undefined
  const continues = type === 'text' && element.includes(continuesMark, match[0].length)
  return { type, kind, box, angle: angles[match[6] ?? 'up'] ?? 0, ...(continues ? { continues } : {}), flags: [] }
}

/** Thousandths of the page, in either order of the corners; undefined outside the page or without an area. */
function toBox([ax = 0, ay = 0, bx = 0, by = 0]: number[]): Box | undefined {
  if (Math.max(ax, ay, bx, by) > 1000) return undefined
  const box: Box = [Math.min(ax, bx) / 1000, Math.min(ay, by) / 1000, Math.max(ax, bx) / 1000, Math.max(ay, by) / 1000]
  return area(box) > 0 ? box : undefined
}
