import { type Glyph, isRightToLeft } from './glyph.ts'
import { joinDirections } from './join-directions.ts'
import { orderLigature } from './ligature-order.ts'

/** A glyph laid out along its line: `from` … `to` along the reading direction, `across` its baseline. Points. */
export interface PlacedGlyph {
  readonly glyph: Glyph
  readonly from: number
  readonly to: number
  readonly across: number
  /** Distance from the glyph before it on the line, 0 for the first; negative when they overlap. */
  readonly gap: number
}

/** Glyphs on one baseline, in content order, without a wide gap. */
export interface GlyphLine {
  readonly glyphs: PlacedGlyph[]
  readonly ux: number
  readonly uy: number
  readonly vertical: boolean
  /** Size that most of its glyphs have, and their baseline. */
  size: number
  across: number
}

/** A baseline that is further off than this share of the size is another line; super- and subscripts stay within. */
const raise = 0.6
/** Gaps wider than this many sizes part a line, unless the line is spaced that widely throughout. */
const wideGap = 1.1
const wideAgainstSpaces = 2.5

/**
 * Cuts the glyphs of a page into lines by where they stand. The spaces and line ends that the engine infers are not
 * trusted: it judges them without the line as a whole.
 */
export function glyphLines(glyphs: Glyph[]): GlyphLine[] {
  const lines: GlyphLine[] = []
  let open: OpenLine | undefined
  for (let i = 0; i < glyphs.length; i++) {
    const glyph = glyphs[i]
    if (!glyph) continue
    const pieces = piecesOf(glyphs, i)
    if (pieces > 1) orderLigature(glyphs, i, pieces)
    if (!open?.takes(glyph)) {
      open = new OpenLine(glyph)
      lines.push(open.line)
    }
    for (let p = 0; p < pieces; p++) {
      const piece = glyphs[i + p]
      if (piece) open.add(piece, p, pieces)
    }
    i += pieces - 1
  }
  for (const line of lines) settle(line)
  return joinDirections(lines)
}

/** The engine spreads a ligature over several characters with one place: how many from `at` on share it. */
function piecesOf(glyphs: readonly Glyph[], at: number): number {
  const first = glyphs[at]
  if (!first || first.advance <= 0) return 1
  let count = 1
  for (; count < 8; count++) {
    const next = glyphs[at + count]
    if (!next || next.run !== first.run || next.advance !== first.advance || next.before !== 'nothing') break
    if (Math.abs(next.x - first.x) > 0.001 * first.size || Math.abs(next.y - first.y) > 0.001 * first.size) break
  }
  return count
}

class OpenLine {
  readonly line: GlyphLine
  private spaces = 0
  private spaceSum = 0
  private end: PlacedGlyph | undefined

  constructor(glyph: Glyph) {
    const vertical = glyph.vertical
    const ux = vertical ? 0 : glyph.ux
    const uy = vertical ? 1 : glyph.uy
    this.line = { glyphs: [], ux, uy, vertical, size: glyph.size, across: 0 }
    this.line.across = this.span(glyph).across
  }

  private span(glyph: Glyph): { from: number; to: number; across: number } {
    const { ux, uy, vertical } = this.line
    if (vertical) {
      const from = glyph.y - glyph.run.ascent * glyph.size
      return { from, to: from + glyph.size, across: glyph.x + glyph.advance / 2 }
    }
    const from = glyph.x * ux + glyph.y * uy
    return { from, to: from + glyph.advance, across: glyph.y * ux - glyph.x * uy }
  }

  takes(glyph: Glyph): boolean {
    const { line, end } = this
    if (!end) return true
    if (glyph.vertical !== line.vertical) return false
    if (!line.vertical && glyph.ux * line.ux + glyph.uy * line.uy < 0.999) return false
    const { from, to, across } = this.span(glyph)
    const large = Math.max(line.size, glyph.size)
    if (Math.abs(across - line.across) > raise * large) return false
    const gap = Math.max(from - end.to, end.from - to)
    if (gap > wideGap * large) {
      const usual = this.spaces > 1 ? this.spaceSum / this.spaces : 0
      if (gap > wideAgainstSpaces * usual) return false
    }
    const leftwards = isRightToLeft(glyph.text) || isRightToLeft(end.glyph.text)
    // Accents are set by stepping back over their letter; further back is a new line, or the text is right-to-left.
    return leftwards || from > end.from - large
  }

  add(glyph: Glyph, piece: number, pieces: number): void {
    const { line, end } = this
    const { from, to, across } = this.span(glyph)
    const step = (to - from) / pieces
    const rank = isRightToLeft(glyph.text) ? pieces - 1 - piece : piece
    const start = from + rank * step
    const gap = piece > 0 || !end ? 0 : Math.max(from - end.to, end.from - to)
    const placed = { glyph, from: start, to: start + step, across, gap }
    const large = Math.max(line.size, glyph.size)
    if (gap > 0.17 * large) {
      this.spaces++
      this.spaceSum += gap
    }
    if (glyph.size > line.size * 1.05) {
      line.size = glyph.size
      line.across = across
    }
    line.glyphs.push(placed)
    this.end = piece > 0 && end ? { ...placed, from, to } : placed
  }
}

/** The line's size and baseline are those of the size that covers most of its length: neither a drop cap nor a footnote mark decides. */
function settle(line: GlyphLine): void {
  const shares = new Map<number, { length: number; across: number }>()
  for (const { glyph, from, to, across } of line.glyphs) {
    const key = Math.round(glyph.size * 4)
    const share = shares.get(key)
    if (share) share.length += to - from
    else shares.set(key, { length: to - from, across })
  }
  let best = -1
  for (const [key, { length, across }] of shares) {
    if (length <= best) continue
    best = length
    line.size = key / 4 || line.size
    line.across = across
  }
}
