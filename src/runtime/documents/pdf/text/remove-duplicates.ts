import type { Glyph } from './glyph.ts'

/** A glyph painted again nearer than this share of its size is the same letter: bold or a shadow by double painting. */
const reach = 0.15
/** Side of a cell of the search grid, in points; a glyph of usual size looks into one to four cells. */
const cell = 4

/**
 * Drops glyphs that repeat one of another text object at almost the same place. Letters that the engine takes from
 * one ligature share a place within one object and are kept. A hidden copy never replaces a visible one.
 */
export function removeDuplicates(glyphs: Glyph[]): Glyph[] {
  const grid = new GlyphGrid(glyphs.length)
  const kept: Glyph[] = []
  for (const glyph of glyphs) {
    if (grid.hasTwin(glyph)) continue
    grid.add(glyph)
    kept.push(glyph)
  }
  return kept.length === glyphs.length ? glyphs : kept
}

/** Glyphs by place: a hash table of cells with chains, without an object for each cell. */
class GlyphGrid {
  private readonly glyphs: Glyph[] = []
  private readonly heads: Int32Array
  private readonly next: Int32Array

  constructor(size: number) {
    const buckets = 2 ** Math.ceil(Math.log2(Math.max(16, 2 * size)))
    this.heads = new Int32Array(buckets).fill(-1)
    this.next = new Int32Array(size)
  }

  add(glyph: Glyph): void {
    const at = this.bucket(Math.floor(glyph.x / cell), Math.floor(glyph.y / cell))
    const index = this.glyphs.push(glyph) - 1
    this.next[index] = this.heads[at] ?? -1
    this.heads[at] = index
  }

  hasTwin(glyph: Glyph): boolean {
    // Very large letters look no further than some cells: the work stays bounded.
    const limit = Math.max(0.02, Math.min(glyph.size * reach, 4 * cell))
    const x1 = Math.floor((glyph.x + limit) / cell)
    const y1 = Math.floor((glyph.y + limit) / cell)
    for (let x = Math.floor((glyph.x - limit) / cell); x <= x1; x++) {
      for (let y = Math.floor((glyph.y - limit) / cell); y <= y1; y++) {
        for (let i = this.heads[this.bucket(x, y)] ?? -1; i >= 0; i = this.next[i] ?? -1) {
          if (isTwin(this.glyphs[i] as Glyph, glyph, limit)) return true
        }
      }
    }
    return false
  }

  private bucket(x: number, y: number): number {
    return (Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663)) & (this.heads.length - 1)
  }
}

const isTwin = (a: Glyph, b: Glyph, limit: number): boolean =>
  a.run !== b.run &&
  Math.abs(a.x - b.x) <= limit &&
  Math.abs(a.y - b.y) <= limit &&
  a.text === b.text &&
  a.run.invisible === b.run.invisible &&
  Math.abs(a.size - b.size) < 0.2 * b.size
