import type { TextStyle } from '../../../schema/text-layer.ts'

/**
 * Fonts of large brackets, roots, sums and integrals after TeX: their glyphs hang down from the baseline instead of standing
 * on it, so that a bracket round a line has a baseline far above it.
 */
const extensionFont = /^(?:cmex|lmex|euex|txex|pxex|ntxex|npxex|mtex|stixmathex|.*math-?ext)/i

/** How far down such a glyph may reach from its baseline, in em: the largest bracket that is one piece. */
export const hangReach = 3

export const hangs = (style: TextStyle | undefined): boolean => style?.symbolic === true && extensionFont.test(style.font)
