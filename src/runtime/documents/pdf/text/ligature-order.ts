import { type Glyph, isRightToLeft } from './glyph.ts'

/** What the Arabic and Hebrew presentation forms of several letters stand for, in logical order. */
let logical: ReadonlySet<string> | undefined

function logicalLigatures(): ReadonlySet<string> {
  if (logical) return logical
  const found = new Set<string>()
  for (const [first, last] of [
    [0xfb1d, 0xfdff],
    [0xfe70, 0xfefc],
  ] as const) {
    for (let code = first; code <= last; code++) {
      const text = String.fromCodePoint(code).normalize('NFKC')
      if (text.length > 1) found.add(text)
    }
  }
  logical = found
  return found
}

/**
 * A right-to-left ligature that a font maps to several letters comes out of the engine with its letters reversed,
 * since the engine turns whole runs around; the letters of a presentation form come in logical order.
 * `glyphs` are the letters of one printed sign; they are put into logical order in place.
 */
export function orderLigature(glyphs: Glyph[], first: number, count: number): void {
  const letters = glyphs.slice(first, first + count)
  if (!letters.some((glyph) => isRightToLeft(glyph.text))) return
  const text = letters.map((glyph) => glyph.text).join('')
  const reversed = letters.map((glyph) => glyph.text).reverse()
  const known = logicalLigatures()
  if (known.has(text) && !known.has(reversed.join(''))) return
  const { before } = letters[0] as Glyph
  letters.forEach((glyph, i) => {
    glyph.text = reversed[i] as string
    glyph.before = i === 0 ? before : 'nothing'
  })
}
