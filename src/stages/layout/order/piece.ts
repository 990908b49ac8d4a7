import type { PointBox } from '../../../schema/text-layer.ts'
import { hangs } from '../atoms/hanging-glyphs.ts'
import type { Atom } from '../page-geometry.ts'

/**
 * What the reading order is made of: an atom, or something that is read as one thing (a table, a figure, text turned
 * against the page). Boxes lie in the frame in which lines run left to right and follow each other downwards.
 */
export interface Piece {
  /** Tight in height: neighbouring lines do not overlap even when they are set solid. */
  readonly box: PointBox
  readonly baseline: number
  /** Size of the type in points; for a solid the body's. */
  readonly em: number
  /** Place in the order of the content, unique within the page. -1 where the source has no order of its own. */
  readonly rank: number
  /** Exactly one of `atom` and `solid` is set. */
  readonly atom?: Atom
  /** Index into the list of solids of the page. */
  readonly solid?: number
}

/** The ink of a line of writing reaches about so far above and below its baseline, in em. */
const ascent = 0.74
const descent = 0.22

/** The ink of a sum or bracket that hangs from its baseline; large ones reach further. */
const hangingHeight = 1.4

/** An atom as a piece of the frame in which its box is given. */
export function atomPiece(atom: Atom, box: PointBox, baseline: number, rank: number): Piece {
  const isRegion = atom.region !== undefined
  if (hangs(atom.style)) return { box: [box[0], baseline, box[2], baseline + hangingHeight * atom.sizePt], baseline, em: Math.max(1, atom.sizePt), rank, atom }
  const inset = (box[3] - box[1]) * 0.12
  // Regions are grown beyond the ink by the finder, word boxes by the line height of their font.
  const y0 = isRegion ? box[1] + inset : Math.max(box[1], baseline - ascent * atom.sizePt)
  const y1 = isRegion ? box[3] - inset : Math.min(box[3], baseline + descent * atom.sizePt)
  return { box: y1 > y0 ? [box[0], y0, box[2], y1] : box, baseline, em: Math.max(1, atom.sizePt), rank, atom }
}

/** The median size of type, 10 for none. */
export function medianEm(pieces: readonly Piece[]): number {
  const sizes = pieces.filter((p) => p.atom).map((p) => p.em)
  sizes.sort((a, b) => a - b)
  return sizes[sizes.length >> 1] ?? 10
}

/** By upper edge, then from left to right: the order that all cuts keep. */
export const byTop = (a: Piece, b: Piece): number => a.box[1] - b.box[1] || a.box[0] - b.box[0]
