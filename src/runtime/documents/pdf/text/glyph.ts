/** What all glyphs that one text operator draws have in common. */
export interface TextRun {
  /** Place in the drawing order of the page; -1 when the object was not met on the walk over the page. */
  readonly z: number
  /** Index into the styles of the page. */
  readonly style: number
  /** Marked-content id, -1 for none. */
  readonly mcid: number
  /** Belongs to optional content, which may be switched off. */
  readonly optional: boolean
  /** Render mode 3 or 7, or painted with full transparency. */
  readonly invisible: boolean
  /** Part of the size above the baseline, of a line-high box of one size. */
  readonly ascent: number
}

/** One printed character (several UTF-16 units at most for one code point). Points of the displayed page. */
export interface Glyph {
  text: string
  /** Left end of the baseline as printed. */
  x: number
  y: number
  /** Unit vector of the reading direction of its font, as displayed. */
  ux: number
  uy: number
  /** Width along that vector, not negative. */
  advance: number
  size: number
  run: TextRun
  unmapped: boolean
  /** A soft hyphen, or one that the engine takes for a hyphenation. */
  hyphen: boolean
  /** What stands before it in the text: a space character, a space or line end that the engine inferred, or nothing. */
  before: 'space' | 'guess' | 'nothing'
  vertical: boolean
}

/** Letters of scripts that run from right to left: Hebrew to Arabic Extended-A and the presentation forms. */
export const isRightToLeft = (text: string): boolean => {
  const code = text.charCodeAt(0)
  return (code >= 0x0590 && code <= 0x08ff && !(code >= 0x0660 && code <= 0x0669)) || (code >= 0xfb1d && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefc)
}

/** Scripts that are set without spaces and may be set in columns: CJK punctuation, kana, ideographs, full-width forms. */
export const isCjk = (text: string): boolean => {
  const code = text.codePointAt(0) ?? 0
  return (
    (code >= 0x2e80 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe4f) ||
    (code >= 0xff01 && code <= 0xff60) ||
    (code >= 0x20000 && code <= 0x3ffff)
  )
}
