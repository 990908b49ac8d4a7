import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Picture } from '../../../../../src/runtime/document-reader.ts'
import type { CropRule } from '../../../../../src/runtime/vlm/family.ts'
import { encodeCrop } from '../../../../../src/runtime/vlm/pictures/encode-crop.ts'

/** White, but for black pixels. */
function paper(width: number, height: number, channels: 1 | 3, ink: readonly (readonly [number, number])[] = []): Picture {
  const data = new Uint8Array(width * height * channels).fill(255)
  for (const [x, y] of ink) data.fill(0, (y * width + x) * channels, (y * width + x + 1) * channels)
  return { data, width, height, channels, dpi: 200 }
}

const rule = (given: Partial<CropRule> = {}): CropRule => ({ box: [0, 0, 1, 1], rounding: 'half-even', angle: 0, mostRatio: 50, leastSide: 28, ...given })

async function pixelsOf(picture: Picture, given: CropRule) {
  const sent = await encodeCrop(picture, given)
  if (!sent) throw new Error('nothing was cut')
  const { data, info } = await sharp(sent.bytes).raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([sent.width, sent.height])
  const { channels } = await sharp(sent.bytes).metadata()
  const at = (x: number, y: number) => data[(y * info.width + x) * info.channels] as number
  const dark = () => {
    for (let y = 0; y < info.height; y++) for (let x = 0; x < info.width; x++) if (at(x, y) < 128) return [x, y]
    return undefined
  }
  return { width: info.width, height: info.height, channels, at, dark }
}

describe('encodeCrop', () => {
  it.each([1, 3] as const)('turns a crop of %i channels counter-clockwise by its angle', async (channels) => {
    const marked = paper(40, 60, channels, [[0, 0]])
    for (const [angle, width, height, place] of [
      [0, 40, 60, [0, 0]],
      [90, 60, 40, [0, 39]],
      [180, 40, 60, [39, 59]],
      [270, 60, 40, [59, 0]],
    ] as const) {
      const pixels = await pixelsOf(marked, rule({ angle }))
      expect([pixels.width, pixels.height, pixels.channels, pixels.dark()]).toEqual([width, height, channels, place])
    }
  })

  it('pads a long strip with white in the middle, then enlarges it', async () => {
    const strip = paper(1001, 20, 1)
    strip.data.fill(0)
    const pixels = await pixelsOf(strip, rule())
    expect([pixels.width, pixels.height]).toEqual([1335, 28])
    expect(pixels.at(600, 4)).toBeLessThan(64)
    expect(pixels.at(600, 27)).toBeGreaterThan(128)
  })

  it('leaves nothing of less than a pixel', async () => {
    expect(await encodeCrop(paper(40, 60, 3), rule({ box: [0.5, 0.5, 0.501, 0.9] }))).toBeUndefined()
  })

  it('paints what lies outside a polygon black', async () => {
    const pixels = await pixelsOf(paper(100, 100, 3), rule({ box: [0, 0, 1, 1], polygon: [0.5, 0, 1, 0.5, 0.5, 1, 0, 0.5] }))
    expect([pixels.at(50, 50), pixels.at(50, 2), pixels.at(2, 50)]).toEqual([255, 255, 255])
    expect([pixels.at(2, 2), pixels.at(97, 2), pixels.at(2, 97), pixels.at(97, 97)]).toEqual([0, 0, 0, 0])
  })

  it('paints a picture inside over with what surrounds it and writes its token', async () => {
    const page = paper(200, 100, 3)
    for (let y = 20; y < 80; y++) page.data.fill(30, (y * 200 + 20) * 3, (y * 200 + 180) * 3)
    const pixels = await pixelsOf(page, rule({ masks: [{ box: [0.1, 0.2, 0.9, 0.8], token: 'AC47' }] }))
    expect(pixels.at(24, 24)).toBe(255)
    let ink = 0
    for (let y = 20; y < 80; y++) for (let x = 20; x < 180; x++) if (pixels.at(x, y) === 0) ink++
    expect(ink).toBeGreaterThan(300)
    expect(ink).toBeLessThan(160 * 60 * 0.5)
  })

  it('leaves a mask blank that is too small for its token, and turns masks with the crop', async () => {
    const page = paper(200, 100, 1)
    for (let y = 0; y < 10; y++) page.data.fill(0, y * 200, y * 200 + 10)
    const pixels = await pixelsOf(page, rule({ angle: 90, masks: [{ box: [0, 0, 0.05, 0.1], token: 'AC47' }] }))
    expect([pixels.width, pixels.height]).toEqual([100, 200])
    expect(pixels.dark()).toBeUndefined()
  })
})
