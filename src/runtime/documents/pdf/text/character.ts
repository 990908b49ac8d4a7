/** Bullets that word processors take from the private codes of symbol fonts; a general convention of those fonts. */
const symbolBullets: Readonly<Record<number, string>> = {
  0xf0b7: '•',
  0xf0a7: '▪',
  0xf0a8: '◻',
  0xf0d8: '➢',
  0xf0fc: '✓',
  0xf076: '❖',
  0xf0b0: '°',
  0xf0e0: '→',
  0xf06e: '■',
  0xf06f: '□',
}

/** Latin ligatures of the presentation forms; other compatibility characters keep their form. */
const isPresentationLigature = (code: number): boolean => code >= 0xfb00 && code <= 0xfb06

export interface Character {
  readonly text: string
  readonly unmapped: boolean
  readonly hyphen: boolean
}

const isPrivate = (code: number): boolean => (code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000
const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0)

/** The engine writes a hyphen that it takes for a hyphenation as U+0002. */
const engineHyphen = 0x02

const cache = new Map<number, Character>()
const cacheSize = 8192

/**
 * What a code that the engine reports stands for. `mapError`: the font names no Unicode value for it.
 * A soft hyphen is printed where it is found, so it counts as a hyphen.
 */
export function character(code: number, mapError: boolean): Character {
  if (mapError) return { text: printable(code), unmapped: true, hyphen: false }
  const known = cache.get(code)
  if (known) return known
  const made = make(code)
  if (cache.size < cacheSize) cache.set(code, made)
  return made
}

function make(code: number): Character {
  if (code === engineHyphen || code === 0xad) return { text: '-', unmapped: false, hyphen: true }
  const bullet = symbolBullets[code]
  if (bullet) return { text: bullet, unmapped: false, hyphen: false }
  if (isControl(code) || isPrivate(code) || code === 0xfffd || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    return { text: printable(code), unmapped: true, hyphen: false }
  }
  const text = String.fromCodePoint(code)
  return { text: isPresentationLigature(code) ? text.normalize('NFKC') : text, unmapped: false, hyphen: false }
}

/** Codes that would harm whoever reads the text become the replacement character; private ones are kept: they tell glyphs apart. */
function printable(code: number): string {
  if (isControl(code) || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd'
  return String.fromCodePoint(code)
}

/** Blanks of all widths, line ends, zero-width spaces, byte order mark. */
export const isBlank = (code: number): boolean =>
  code === 0x20 ||
  (code >= 0x09 && code <= 0x0d) ||
  code === 0xa0 ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x200b) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000 ||
  code === 0xfeff
