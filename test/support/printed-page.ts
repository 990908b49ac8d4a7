import sharp from 'sharp'
import type { Picture } from '../../src/runtime/document-reader.ts'

export interface PrintedLine {
  readonly text: string
  readonly x: number
  /** Of the baseline. */
  readonly y: number
  readonly size: number
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

/** A white picture with lines of black print. */
export async function printedPage(width: number, height: number, lines: readonly PrintedLine[], turn: 0 | 90 | 180 | 270 = 0): Promise<Picture> {
  const texts = lines.map(({ text, x, y, size }) => `<text x="${x}" y="${y}" font-family="sans-serif" font-size="${size}">${escaped(text)}</text>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="white"/>${texts.join('')}</svg>`
  const { data, info } = await sharp(Buffer.from(svg)).rotate(turn).flatten({ background: '#ffffff' }).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height, channels: 3, dpi: 150 }
}

/** A picture whose pixels a function gives, grey. */
export function paintedPage(width: number, height: number, grey: (x: number, y: number) => number): Picture {
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data[y * width + x] = grey(x, y)
  return { data, width, height, channels: 1, dpi: 150 }
}
