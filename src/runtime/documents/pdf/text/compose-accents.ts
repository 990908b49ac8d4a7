import type { Glyph } from './glyph.ts'

/** Accents that are printed as signs of their own → the combining character. */
const combining: Readonly<Record<string, string>> = {
  '`': '\u0300',
  '´': '\u0301',
  '\u02ca': '\u0301',
  '\u02cb': '\u0300',
  '^': '\u0302',
  ˆ: '\u0302',
  '~': '\u0303',
  '˜': '\u0303',
  '¯': '\u0304',
  '\u02c9': '\u0304',
  '˘': '\u0306',
  '˙': '\u0307',
  '¨': '\u0308',
  '˚': '\u030a',
  '˝': '\u030b',
  ˇ: '\u030c',
  '¸': '\u0327',
  '˛': '\u0328',
}
/** So far apart in content order at most are an accent and its letter: TeX sets the accent first, others last. */
const reach = 4

/**
 * Typesetters that have no accented letters print the accent over (or under) the letter. Such pairs become one
 * character where Unicode has it: `g` and `˘` are `ğ`. The accent must lie over the letter's width on its line.
 */
export function composeAccents(glyphs: Glyph[]): Glyph[] {
  const dropped = new Set<Glyph>()
  for (let i = 0; i < glyphs.length; i++) {
    const accent = glyphs[i] as Glyph
    const mark = combining[accent.text]
    if (mark && compose(glyphs, i, accent, mark)) dropped.add(accent)
  }
  return dropped.size === 0 ? glyphs : glyphs.filter((glyph) => !dropped.has(glyph))
}

/** Puts the mark on the nearest letter under the accent: the one after it first, as TeX sets it. */
function compose(glyphs: readonly Glyph[], at: number, accent: Glyph, mark: string): boolean {
  for (let distance = 1; distance <= reach; distance++) {
    for (const letter of [glyphs[at + distance], glyphs[at - distance]]) {
      if (!letter || !liesOver(accent, letter)) continue
      const composed = (letter.text + mark).normalize('NFC')
      if (composed.length !== letter.text.length) continue
      letter.text = composed
      if (letter === glyphs[at + distance] && letter.before === 'nothing') letter.before = accent.before
      return true
    }
  }
  return false
}

function liesOver(accent: Glyph, letter: Glyph): boolean {
  if (!/^\p{L}$/u.test(letter.text) || accent.ux * letter.ux + accent.uy * letter.uy < 0.99) return false
  const dx = accent.x - letter.x
  const dy = accent.y - letter.y
  const along = dx * letter.ux + dy * letter.uy
  const across = dy * letter.ux - dx * letter.uy
  if (Math.abs(across) > 0.4 * letter.size) return false
  const centre = along + accent.advance / 2
  return centre > 0.15 * letter.advance && centre < 0.95 * letter.advance && along < 0.6 * letter.advance
}
