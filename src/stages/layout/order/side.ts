import type { Piece } from './piece.ts'

/** What stands on one side of a would-be gutter. */
export class Side {
  readonly pieces: Piece[] = []
  x0 = Infinity
  x1 = -Infinity
  y0 = Infinity
  y1 = -Infinity
  /** Printed lines; a table or figure counts for three. */
  lines = 0
  private lastBaseline = -Infinity

  /** Pieces come from top to bottom. What sticks out of `from`..`to` does not widen the side. */
  add(piece: Piece, from = -Infinity, to = Infinity): void {
    const [y0, y1] = [piece.box[1], piece.box[3]]
    const [x0, x1] = [Math.max(piece.box[0], from), Math.min(piece.box[2], to)]
    this.pieces.push(piece)
    if (x0 < this.x0) this.x0 = x0
    if (x1 > this.x1) this.x1 = x1
    if (y0 < this.y0) this.y0 = y0
    if (y1 > this.y1) this.y1 = y1
    if (piece.solid !== undefined) this.lines += 3
    else if (piece.baseline > this.lastBaseline + piece.em * 0.4) {
      this.lines++
      this.lastBaseline = piece.baseline
    }
  }

  get width(): number {
    return this.x1 - this.x0
  }

  get height(): number {
    return Math.max(0, this.y1 - this.y0)
  }

  get hasSolid(): boolean {
    return this.pieces.some((p) => p.solid !== undefined)
  }
}
