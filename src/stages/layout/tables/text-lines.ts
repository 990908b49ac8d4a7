import type { PointBox } from '../../../schema/text-layer.ts'
import type { Bit } from './table-view.ts'

/** Bits on one baseline, left to right. */
export interface TextLine {
  readonly bits: readonly Bit[]
  readonly box: PointBox
  readonly sizePt: number
}

/** Groups bits to printed lines by vertical overlap, top to bottom. Raised marks join the line they stand on. */
export function textLines(bits: readonly Bit[]): TextLine[] {
  const sorted = [...bits].sort((a, b) => middle(a) - middle(b))
  const open: { bits: Bit[]; sum: number; size: number; y0: number; y1: number }[] = []
  for (const bit of sorted) {
    const y = middle(bit)
    const line = open.at(-1)
    const size = Math.max(bit.sizePt, 1)
    // The middle of the line so far against the middle of the bit: half a size apart is another line.
    const near = line && Math.abs(y - line.sum / line.bits.length) < 0.45 * Math.max(size, line.size)
    if (line && near) {
      line.bits.push(bit)
      line.sum += y
      line.size = Math.max(line.size, size)
      line.y0 = Math.min(line.y0, bit.box[1])
      line.y1 = Math.max(line.y1, bit.box[3])
    } else {
      open.push({ bits: [bit], sum: y, size, y0: bit.box[1], y1: bit.box[3] })
    }
  }
  return open.map((line) => {
    line.bits.sort((a, b) => a.box[0] - b.box[0])
    let x1 = -Infinity
    for (const bit of line.bits) x1 = Math.max(x1, bit.box[2])
    return { bits: line.bits, box: [line.bits[0]?.box[0] ?? 0, line.y0, x1, line.y1], sizePt: line.size }
  })
}

const middle = (bit: Bit): number => (bit.box[1] + bit.box[3]) / 2

/** A run of bits with ordinary spaces between them. */
export interface Piece {
  readonly bits: readonly Bit[]
  readonly x0: number
  readonly x1: number
}

/** Cuts a line at white that is wider than a space. */
export function piecesOf(line: TextLine): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  let reach = line.bits[0]?.box[2] ?? 0
  for (let i = 1; i <= line.bits.length; i++) {
    const bit = line.bits[i]
    if (bit && bit.box[0] - reach <= bit.spaceTo) {
      reach = Math.max(reach, bit.box[2])
      continue
    }
    pieces.push(pieceOf(line.bits.slice(from, i)))
    from = i
    reach = bit?.box[2] ?? 0
  }
  return pieces
}

export function pieceOf(bits: readonly Bit[]): Piece {
  let [x0, x1] = [Infinity, -Infinity]
  for (const bit of bits) {
    if (bit.box[0] < x0) x0 = bit.box[0]
    if (bit.box[2] > x1) x1 = bit.box[2]
  }
  return { bits, x0, x1 }
}

export const textOf = (bits: readonly Bit[]): string => bits.map((bit) => bit.text).join(' ')
