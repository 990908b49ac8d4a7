import type { PixelArea } from '../crops/crop-area.ts'
import type { Pixels } from './pixels.ts'
import { glyphHeight, glyphOf, glyphWidth } from './token-glyphs.ts'

/** The largest part of the mask that its token fills, of each side. */
const mostFilled = 0.7
/** So far outside the box the colour around it is looked at, in pixels. */
const sampleDistance = 2

/**
 * Paints a box over with the mean colour of what surrounds it and writes a token into it, in brackets, so that a model which reads the picture
 * carries the token on. A box that is too small for the token stays blank. No font is needed, so that the picture is the same everywhere.
 */
export function paintMask(pixels: Pixels, box: PixelArea, token: string): void {
  const ground = meanAround(pixels, box)
  for (let y = box.top; y < box.top + box.height; y++) paintRow(pixels, box.left, box.left + box.width, y, ground)
  const text = `[${token}]`
  const columns = text.length * (glyphWidth + 1) - 1
  const scale = Math.floor(Math.min((box.width * mostFilled) / columns, (box.height * mostFilled) / glyphHeight))
  if (scale < 1) return
  const ink = luminance(ground) < 128 ? 255 : 0
  const left = box.left + ((box.width - columns * scale) >> 1)
  const top = box.top + ((box.height - glyphHeight * scale) >> 1)
  for (const [place, character] of [...text].entries()) paintGlyph(pixels, glyphOf(character), left + place * (glyphWidth + 1) * scale, top, scale, ink)
}

function paintGlyph(pixels: Pixels, rows: readonly number[], left: number, top: number, scale: number, ink: number): void {
  for (const [row, bits] of rows.entries()) {
    for (let column = 0; column < glyphWidth; column++) {
      if (((bits >> (glyphWidth - 1 - column)) & 1) === 0) continue
      for (let y = 0; y < scale; y++) paintRow(pixels, left + column * scale, left + (column + 1) * scale, top + row * scale + y, [ink, ink, ink])
    }
  }
}

type Colour = readonly [number, number, number]

function paintRow({ data, width, height, channels }: Pixels, from: number, to: number, y: number, colour: Colour): void {
  if (y < 0 || y >= height) return
  for (let x = Math.max(0, from); x < Math.min(width, to); x++) {
    const at = (y * width + x) * channels
    for (let c = 0; c < channels; c++) data[at + c] = colour[c] as number
  }
}

/** Of eight places around the box: its corners and the middles of its sides. */
function meanAround(pixels: Pixels, { left, top, width, height }: PixelArea): Colour {
  const [xs, ys] = [
    [left - sampleDistance, left + width / 2, left + width - 1 + sampleDistance],
    [top - sampleDistance, top + height / 2, top + height - 1 + sampleDistance],
  ]
  const sum = [0, 0, 0]
  for (const [i, x] of xs.entries()) {
    for (const [j, y] of ys.entries()) {
      if (i === 1 && j === 1) continue
      const colour = colourAt(pixels, x, y)
      for (let c = 0; c < 3; c++) sum[c] = (sum[c] as number) + (colour[c] as number)
    }
  }
  return [Math.round((sum[0] as number) / 8), Math.round((sum[1] as number) / 8), Math.round((sum[2] as number) / 8)]
}

function colourAt({ data, width, height, channels }: Pixels, x: number, y: number): Colour {
  const column = Math.min(width - 1, Math.max(0, Math.round(x)))
  const row = Math.min(height - 1, Math.max(0, Math.round(y)))
  const at = (row * width + column) * channels
  const value = (c: number) => data[at + (channels === 1 ? 0 : c)] as number
  return [value(0), value(1), value(2)]
}

const luminance = ([red, green, blue]: Colour): number => 0.299 * red + 0.587 * green + 0.114 * blue
