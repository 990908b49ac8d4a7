import { turnBox, turnSize } from '../../geometry/turn.ts'
import type { QuarterTurn } from '../../schema/geometry.ts'
import type { PointBox } from '../../schema/text-layer.ts'
import { isSlanted, readingTurn } from './atoms/reading-turn.ts'
import type { Dividers } from './order/gutter-test.ts'
import { atomPiece, type Piece } from './order/piece.ts'
import type { Atom, PageGeometry } from './page-geometry.ts'

/** The page turned so that lines of one direction run left to right and follow each other downwards. */
export interface Frame {
  readonly turn: QuarterTurn
  readonly width: number
  readonly height: number
  box(onPage: PointBox): PointBox
}

export function makeFrame(page: { width: number; height: number }, turn: QuarterTurn): Frame {
  return { turn, ...turnSize(page.width, page.height, turn), box: (b) => (turn === 0 ? b : turnBox(b, page.width, page.height, turn)) }
}

/** The turn that brings most of the writing upright; 0 for a page without any. */
export function mainTurn(atoms: readonly Atom[]): QuarterTurn {
  const length = new Map<QuarterTurn, number>()
  for (const atom of atoms) {
    if (isSlanted(atom.angle)) continue
    const turn = readingTurn(atom.angle, atom.vertical)
    const long = Math.max(atom.box[2] - atom.box[0], atom.box[3] - atom.box[1])
    length.set(turn, (length.get(turn) ?? 0) + long)
  }
  let best: QuarterTurn = 0
  let most = 0
  for (const [turn, long] of length) {
    if (long > most) {
      best = turn
      most = long
    }
  }
  return best
}

/** The atom as a piece of the frame. */
export function framedPiece(atom: Atom, frame: Frame, rank: number): Piece {
  if (frame.turn === 0) return atomPiece(atom, atom.box, atom.baseline, rank)
  const box = frame.box(atom.box)
  return atomPiece(atom, box, box[3] - (box[3] - box[1]) * 0.22, rank)
}

/** Vertical rules and drawn boxes in the frame. */
export function framedDividers(page: PageGeometry, frame: Frame, solids: readonly PointBox[] = []): Dividers {
  const rules: (readonly [number, number, number])[] = []
  const bars: (readonly [number, number, number])[] = []
  for (const rule of page.rules) {
    const isAcross = rule.direction === 'horizontal'
    const box: PointBox = isAcross ? [rule.from, rule.at, rule.to, rule.at] : [rule.at, rule.from, rule.at, rule.to]
    const [x0, y0, x1, y1] = frame.box(box)
    if (x1 - x0 < 0.01 && y1 - y0 > 20) rules.push([x0, y0, y1])
    // Lines inside a table or figure divide nothing else.
    const isInside = solids.some((s) => s[0] <= x0 + 2 && s[2] >= x1 - 2 && s[1] - 3 <= y0 && s[3] + 3 >= y0)
    if (y1 - y0 < 0.01 && x1 - x0 > 40 && !isInside) bars.push([y0, x0, x1])
  }
  const boxes = page.fills.filter((f) => f.box[2] - f.box[0] > 40 && f.box[3] - f.box[1] > 20).map((f) => frame.box(f.box))
  bars.sort((a, b) => a[0] - b[0])
  return { rules: rules.slice(0, 200), bars: bars.slice(0, 200), boxes: boxes.slice(0, 200), known: [] }
}
