import { PagestreamError } from '../../../../schema/failure.ts'
import type { Box, QuarterTurn } from '../../../../schema/geometry.ts'
import type { FoundBlock } from '../../page-reader.ts'
import { readAnswer } from '../answer-text.ts'
import { blockTypes } from './block-types.ts'

/** Blocks of one page that are taken. */
const mostBlocks = 2_000
const longestLine = 4_096

const line = /^<box:(\d{1,6}(?: +\d{1,6}){3,511})><label:(\w{1,32})><([^>]{0,64})>$/u

const turns: readonly (readonly [string, QuarterTurn])[] = [
  ['up', 0],
  ['right', 90],
  ['down', 180],
  ['left', 270],
]

/**
 * Reads the layout: a line a block, in reading order. What is no whole line of the grammar is dropped and counted: another number of coordinates, one
 * beyond 0..1000, a name that the model does not have, no area, a line that was there before.
 */
export function parseLayout(answer: string): { blocks: FoundBlock[]; dropped: number } {
  const blocks: FoundBlock[] = []
  const seen = new Set<string>()
  let dropped = 0
  for (const written of readAnswer({ text: answer, finish: 'stop' }).text.split('\n')) {
    const text = written.trim()
    if (text === '') continue
    const block = seen.has(text) || blocks.length >= mostBlocks ? undefined : blockOf(text)
    if (block === undefined) {
      dropped++
      continue
    }
    seen.add(text)
    blocks.push(block)
  }
  if (blocks.length === 0 && dropped > 0) throw new PagestreamError('answer-invalid', 'finding the blocks of a page: the answer of the model names none')
  return { blocks, dropped }
}

function blockOf(text: string): FoundBlock | undefined {
  const match = text.length > longestLine ? null : line.exec(text)
  if (match === null) return undefined
  const [, coordinates = '', label = '', direction = ''] = match
  const type = label.toLowerCase()
  const known = blockTypes.get(type)
  const numbers = coordinates.split(/ +/).map(Number)
  if (known === undefined || numbers.length % 2 === 1 || numbers.some((number) => number > 1000)) return undefined
  // A thousandth of the far edge is the last one of the page.
  const fractions = numbers.map((number) => Math.min(number, 999) / 1000)
  const box = boxAround(fractions)
  if (box[0] === box[2] || box[1] === box[3]) return undefined
  const angle = turns.find(([name]) => direction.includes(name))?.[1] ?? 0
  return { type, kind: known.kind, box, angle, ...(fractions.length > 4 && { polygon: fractions }), flags: [] }
}

/** x0 y0 x1 y1 in any order, or a polygon. */
function boxAround(points: readonly number[]): Box {
  const xs = points.filter((_, at) => at % 2 === 0)
  const ys = points.filter((_, at) => at % 2 === 1)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}
