import { overlap } from '../../../geometry/box.ts'
import { hangReach, hangs } from '../atoms/hanging-glyphs.ts'
import type { Piece } from '../order/piece.ts'
import type { PageGeometry } from '../page-geometry.ts'
import { type PrintedLine, printedLine } from './printed-line.ts'

/** Lines that may still take a piece: a page's lines are far fewer beside each other. */
const openLines = 12

interface OpenLine {
  readonly pieces: Piece[]
  baseline: number
  em: number
  y0: number
  y1: number
}

/**
 * Groups the atoms of a column into printed lines, from top to bottom. Atoms belong together when they share a
 * baseline (regions: most of their height) and do not lie on top of each other.
 *
 * @param pieces from top to bottom; solids are passed over.
 */
export function groupLines(pieces: readonly Piece[], page: PageGeometry): PrintedLine[] {
  const lines: OpenLine[] = []
  const hanging: Piece[] = []
  for (const piece of pieces) {
    if (!piece.atom) continue
    if (hangs(piece.atom.style)) {
      hanging.push(piece)
      continue
    }
    const line = findLine(lines, piece)
    if (line) {
      line.pieces.push(piece)
      line.y0 = Math.min(line.y0, piece.box[1])
      line.y1 = Math.max(line.y1, piece.box[3])
      if (piece.em > line.em) {
        line.em = piece.em
        line.baseline = piece.baseline
      }
    } else lines.push({ pieces: [piece], baseline: piece.baseline, em: piece.em, y0: piece.box[1], y1: piece.box[3] })
  }
  const placed = new Map<Piece, OpenLine>()
  for (const piece of hanging) {
    const line = placed.get(partAbove(placed, piece) ?? piece) ?? findBracketed(lines, piece)
    if (line) {
      line.pieces.push(piece)
      placed.set(piece, line)
    } else lines.push({ pieces: [piece], baseline: piece.baseline, em: piece.em, y0: piece.box[1], y1: piece.box[3] })
  }
  return lines
    .map(({ pieces: own }) =>
      printedLine(
        own.sort((a, b) => a.box[0] - b.box[0]),
        page,
      ),
    )
    .sort((a, b) => a.baseline - b.baseline || a.box[0] - b.box[0])
}

function findLine(lines: readonly OpenLine[], piece: Piece): OpenLine | undefined {
  for (let i = lines.length - 1; i >= 0 && i >= lines.length - openLines; i--) {
    const line = lines[i]
    if (!line || !isLevel(line, piece)) continue
    if (line.pieces.every((other) => overlap(other.box[0], other.box[2], piece.box[0], piece.box[2]) <= 0.4 * Math.min(piece.em, other.em))) return line
  }
  return undefined
}

/** A high bracket is made of parts one below the other. */
function partAbove(placed: ReadonlyMap<Piece, OpenLine>, piece: Piece): Piece | undefined {
  for (const above of placed.keys()) {
    const step = piece.baseline - above.baseline
    if (Math.abs(above.box[0] - piece.box[0]) < 1 && step > 0 && step < hangReach * piece.em) return above
  }
  return undefined
}

/**
 * The line that a sign hanging from above stands in: next to one of its pieces, which begin below the sign's baseline. A
 * brace under a part of a line has its baseline just below it.
 */
function findBracketed(lines: readonly OpenLine[], piece: Piece): OpenLine | undefined {
  const beside = nearestLine(lines, piece, (below, gap) => below >= -0.3 * piece.em && below <= hangReach * piece.em && gap >= -0.4 * piece.em)
  return beside ?? nearestLine(lines, piece, (below, gap) => below < 0 && below >= -piece.em && gap <= 0)
}

/** @param fits by how far the line's baseline lies below the piece's, and how far one of its pieces stands beside it; points. */
function nearestLine(lines: readonly OpenLine[], piece: Piece, fits: (below: number, gap: number) => boolean): OpenLine | undefined {
  let best: OpenLine | undefined
  let nearest = 1.2 * piece.em
  for (const line of lines) {
    const below = line.baseline - piece.baseline
    if (Math.abs(below) > hangReach * piece.em) continue
    for (const { box } of line.pieces) {
      const gap = Math.max(box[0], piece.box[0]) - Math.min(box[2], piece.box[2])
      if (gap >= nearest || !fits(below, gap)) continue
      nearest = gap
      best = line
    }
  }
  return best
}

function isLevel(line: OpenLine, piece: Piece): boolean {
  const { em } = piece
  const small = Math.min(em, line.em)
  // A drop capital or a big bracket spans several lines: it is level with none but by its own baseline.
  if (Math.abs(piece.baseline - line.baseline) <= 0.3 * small) return true
  const shared = overlap(line.y0, line.y1, piece.box[1], piece.box[3])
  const lower = Math.min(line.y1 - line.y0, piece.box[3] - piece.box[1])
  const higher = Math.max(line.y1 - line.y0, piece.box[3] - piece.box[1])
  const isRegion = piece.atom?.region !== undefined
  if (isRegion) return shared > 0.6 * lower && lower > 0.45 * higher
  // Marks set as superscripts or subscripts in lines of their own.
  const ratio = Math.max(em, line.em) / small
  return ratio > 1.2 && ratio < 1.8 && shared > 0.5 * lower
}
