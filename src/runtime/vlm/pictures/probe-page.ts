import type { Picture } from '../../document-reader.ts'
import { glyphHeight, glyphOf, glyphWidth } from './token-glyphs.ts'

/** A small page, in pixels. */
const [width, height] = [700, 900]
/** Words of letters that have glyphs, and how large their dots are: a title and two paragraphs. */
const printed = [
  { scale: 7, top: 60, lines: ['CATCH 28'] },
  { scale: 4, top: 220, lines: ['THAT CAT HAD A HAT AT HAND', 'A DAY 8 WAX 6 GAGS', 'AHA 4'] },
  { scale: 4, top: 520, lines: ['WHAT A HACK 3 YAKS', 'ZAX 25 TAXA 7', 'A TAG'] },
] as const
const left = 50

/**
 * A page that says the same everywhere: what a model is shown before it is trusted with others. Drawn from dots, so that no font is needed. Nobody
 * minds what it reads; that it finds blocks on it in the grammar of its family is what counts.
 */
export function probePage(): Picture {
  const data = new Uint8Array(width * height).fill(255)
  for (const { scale, top, lines } of printed) {
    for (const [row, line] of lines.entries()) writeLine(data, line, top + row * (glyphHeight + 4) * scale, scale)
  }
  return { data, width, height, channels: 1, dpi: 100 }
}

function writeLine(data: Uint8Array, line: string, top: number, scale: number): void {
  for (const [place, character] of [...line].entries()) {
    const x = left + place * (glyphWidth + 1) * scale
    for (const [row, bits] of glyphOf(character).entries()) {
      for (let column = 0; column < glyphWidth; column++) {
        if (((bits >> (glyphWidth - 1 - column)) & 1) === 0) continue
        for (let y = 0; y < scale; y++) data.fill(0, ...span(x + column * scale, top + row * scale + y, scale))
      }
    }
  }
}

const span = (x: number, y: number, length: number): [number, number] => [y * width + Math.min(width, x), y * width + Math.min(width, x + length)]
