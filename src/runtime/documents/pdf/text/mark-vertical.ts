import { type Glyph, isCjk } from './glyph.ts'

/**
 * Finds columns of vertical CJK writing: characters of a CJK script, set upright, that follow one another straight
 * down by about their own size. Works for fonts with vertical metrics and for glyphs that are placed one by one.
 * A font whose every neighbouring pair runs down is vertical for its lone characters, too.
 */
export function markVertical(glyphs: Glyph[]): void {
  const down = new Map<number, number>()
  const across = new Map<number, number>()
  for (let i = 0; i + 1 < glyphs.length; i++) {
    const a = glyphs[i]
    const b = glyphs[i + 1]
    if (!a || !b || !isCjk(a.text) || Math.abs(a.uy) > 0.01 || a.ux < 0) continue
    if (followsDown(a, b)) {
      a.vertical = true
      b.vertical = true
      down.set(a.run.style, (down.get(a.run.style) ?? 0) + 1)
    } else if (Math.abs(b.y - a.y) < 0.3 * a.size && b.x > a.x && b.x - a.x < 2 * a.size) {
      across.set(a.run.style, (across.get(a.run.style) ?? 0) + 1)
    }
  }
  if (down.size === 0) return
  for (const glyph of glyphs) {
    const style = glyph.run.style
    if (!glyph.vertical && (down.get(style) ?? 0) > 2 && (across.get(style) ?? 0) === 0) glyph.vertical = true
  }
}

/** Same column, and one step further down; in vertical fonts each glyph is centred on the column, so its left end may differ a little. */
function followsDown(a: Glyph, b: Glyph): boolean {
  const step = b.y - a.y
  return Math.abs(b.x - a.x) < 0.4 * a.size && step > 0.4 * a.size && step < 1.6 * a.size && Math.abs(a.size - b.size) < 0.3 * a.size && Math.abs(b.uy) < 0.01
}
