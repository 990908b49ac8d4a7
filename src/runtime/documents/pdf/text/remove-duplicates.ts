import type { Glyph } from './glyph.ts'

/** A glyph painted again nearer than this share of its size is the same letter: bold or a shadow by double painting. */
const reach = 0.15

/**
 * Drops glyphs that repeat one of another text object at almost the same place. Letters that the engine takes from
 * one ligature share a place within one object and are kept. A hidden copy never replaces a visible one.
 */
export function removeDuplicates(glyphs: readonly Glyph[]): Glyph[] {
  const seen = new Map<string, Glyph[]>()
  const kept: Glyph[] = []
  for (const glyph of glyphs) {
    const cell = Math.max(0.5, glyph.size)
    const cx = Math.floor(glyph.x / cell)
    const cy = Math.floor(glyph.y / cell)
    const name = `${glyph.text}|${glyph.run.invisible ? 1 : 0}|${Math.round(cell * 10)}`
    if (isRepeat(glyph, seen, name, cx, cy)) continue
    const key = `${name}|${cx}|${cy}`
    const there = seen.get(key)
    if (there) there.push(glyph)
    else seen.set(key, [glyph])
    kept.push(glyph)
  }
  return kept.length === glyphs.length ? (glyphs as Glyph[]) : kept
}

function isRepeat(glyph: Glyph, seen: ReadonlyMap<string, readonly Glyph[]>, name: string, cx: number, cy: number): boolean {
  const limit = glyph.size * reach
  for (let dx = -1; dx <= 1; dx++) {
    for (let dy = -1; dy <= 1; dy++) {
      for (const other of seen.get(`${name}|${cx + dx}|${cy + dy}`) ?? []) {
        if (other.run !== glyph.run && Math.abs(other.x - glyph.x) <= limit && Math.abs(other.y - glyph.y) <= limit) return true
      }
    }
  }
  return false
}
