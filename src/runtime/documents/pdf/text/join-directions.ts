import { isRightToLeft } from './glyph.ts'
import type { GlyphLine, PlacedGlyph } from './glyph-line.ts'

/** How far apart the pieces of one line of mixed direction may stand, in sizes. */
const widestGap = 1.1
const mostOverlap = 0.3

interface Span {
  line: GlyphLine
  from: number
  to: number
  mixed: boolean
}

/**
 * Joins lines of right-to-left writing with the Latin words and numbers inside them. In logical order a Latin word
 * begins at its far end, so that a cut by distance from letter to letter parts it from its neighbours; here the whole
 * pieces are compared.
 */
export function joinDirections(lines: GlyphLine[]): GlyphLine[] {
  if (!lines.some((line) => line.glyphs.some(isLeftwards))) return lines
  const joined: Span[] = []
  for (const line of lines) {
    const here = spanOf(line)
    const before = joined.at(-1)
    const gap = before ? Math.max(here.from - before.to, before.from - here.to) : 0
    if (!before || !continues(before, here, gap)) {
      joined.push(here)
      continue
    }
    const [head, ...rest] = line.glyphs
    if (head) before.line.glyphs.push({ ...head, gap })
    for (const placed of rest) before.line.glyphs.push(placed)
    before.from = Math.min(before.from, here.from)
    before.to = Math.max(before.to, here.to)
    before.mixed ||= here.mixed
  }
  return joined.map(({ line }) => line)
}

const isLeftwards = ({ glyph }: PlacedGlyph): boolean => isRightToLeft(glyph.text)

function spanOf(line: GlyphLine): Span {
  let [from, to] = [Infinity, -Infinity]
  for (const placed of line.glyphs) {
    from = Math.min(from, placed.from)
    to = Math.max(to, placed.to)
  }
  return { line, from, to, mixed: line.glyphs.some(isLeftwards) }
}

function continues(before: Span, here: Span, gap: number): boolean {
  const [a, b] = [before.line, here.line]
  if (!before.mixed && !here.mixed) return false
  if (a.vertical || b.vertical || a.ux * b.ux + a.uy * b.uy < 0.999) return false
  const size = Math.max(a.size, b.size)
  return Math.abs(a.across - b.across) < 0.3 * size && gap < widestGap * size && gap > -mostOverlap * size
}
