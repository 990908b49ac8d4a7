import { pngOf } from './png.ts'

type Colour = readonly [number, number, number]

const [width, height] = [1000, 1400]
const places: readonly (readonly [left: number, top: number, right: number, bottom: number, colour: Colour])[] = [
  [100, 50, 900, 120, [255, 0, 0]],
  [100, 150, 480, 400, [0, 255, 0]],
  [520, 150, 900, 400, [255, 255, 0]],
  [100, 450, 900, 650, [200, 200, 255]],
  [100, 700, 480, 780, [230, 230, 230]],
  [520, 700, 560, 940, [0, 0, 255]],
  [600, 700, 900, 900, [120, 180, 120]],
  [450, 960, 550, 985, [0, 255, 255]],
]

/**
 * A page as a PNG file whose blocks are coloured, where the tiny scripted model finds blocks: it answers by the colour of what it is sent, so its
 * answers are right only where the crops are. Each variant is another document.
 */
export function colouredPage(variant = 0): Uint8Array {
  const rgb = new Uint8Array(width * height * 3).fill(255)
  for (const [left, top, right, bottom, colour] of places) {
    for (let y = Math.round((top * height) / 1000); y < (bottom * height) / 1000; y++) {
      for (let x = left; x < right; x++) rgb.set(colour, (y * width + x) * 3)
    }
  }
  rgb.fill(0, variant * 3, variant * 3 + 3)
  return pngOf(width, height, rgb)
}
