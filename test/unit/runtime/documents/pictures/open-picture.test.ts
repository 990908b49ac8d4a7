import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configSchema } from '../../../../../src/config/config.ts'
import type { DocumentReader, Picture } from '../../../../../src/runtime/document-reader.ts'
import { documentReader } from '../../../../../src/runtime/documents/open-document-reader.ts'
import { documentFolder } from '../../../../support/written-document.ts'

let reader: DocumentReader
let folder: Awaited<ReturnType<typeof documentFolder>>

beforeAll(async () => {
  reader = documentReader(configSchema.parse({ workers: 1, limits: { maxPicturePixels: 1_000_000 } }))
  folder = await documentFolder()
})
afterAll(async () => {
  await reader[Symbol.asyncDispose]()
  await folder.remove()
})

const open = async (name: string, bytes: Uint8Array) => reader.open(await folder.write(name, bytes), {})
const pixel = (picture: Picture, x: number, y: number): number[] => {
  const at = (y * picture.width + x) * picture.channels
  return [...picture.data.subarray(at, at + picture.channels)]
}
/** 60 x 40, white, with a red square of 20 in its top-left corner. */
const marked = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#ffffff' } }).composite([
    { input: { create: { width: 20, height: 20, channels: 3, background: '#ff0000' } }, left: 0, top: 0 },
  ])
const isRed = ([r = 0, g = 0, b = 0]: number[]) => r > 200 && g < 60 && b < 60
const full = { dpi: 'native', angle: 0, channels: 3 } as const

describe('openPicture', () => {
  it('gives one channel of a picture without a colour, three of one with', async () => {
    await using coloured = await open('a.png', await marked().png().toBuffer())
    await using grey = await open(
      'b.png',
      await sharp({ create: { width: 60, height: 40, channels: 3, background: '#808080' } })
        .png()
        .toBuffer(),
    )
    const fewest = { ...full, channels: 'fewest' } as const
    expect((await coloured.picture(0, fewest)).channels).toBe(3)
    const picture = await grey.picture(0, fewest)
    expect([picture.channels, picture.data.length, pixel(picture, 50, 30)]).toEqual([1, 60 * 40, [128]])
  })

  it.each(['png', 'jpeg', 'webp', 'tiff', 'gif', 'avif'] as const)('decodes %s whatever the name says', async (format) => {
    await using document = await open('document.pdf', await marked().toFormat(format, { quality: 95 }).toBuffer())
    expect(document.info).toMatchObject({ pageCount: 1, mediaType: `image/${format}` })
    const picture = await document.picture(0, full)
    expect([picture.width, picture.height]).toEqual([60, 40])
    expect(isRed(pixel(picture, 8, 8))).toBe(true)
    expect(isRed(pixel(picture, 50, 30))).toBe(false)
  })

  it.each([
    [1, 60, 40, [8, 8]],
    [3, 60, 40, [52, 32]],
    [6, 40, 60, [32, 8]],
    [8, 40, 60, [8, 52]],
  ] as const)('brings EXIF orientation %i upright', async (orientation, width, height, [x, y]) => {
    await using document = await open('o.jpg', await marked().jpeg({ quality: 95 }).withMetadata({ orientation }).toBuffer())
    const layer = await document.textLayer(0)
    expect(layer.width / layer.height).toBeCloseTo(width / height, 5)
    const picture = await document.picture(0, full)
    expect([picture.width, picture.height]).toEqual([width, height])
    expect(isRed(pixel(picture, x, y))).toBe(true)
    const part = await document.picture(0, { ...full, region: [(x - 4) / width, (y - 4) / height, (x + 4) / width, (y + 4) / height] })
    expect([part.width, part.height]).toEqual([8, 8])
    expect(isRed(pixel(part, 4, 4))).toBe(true)
  })

  it('turns a picture, and cuts the part out of the turned one', async () => {
    await using document = await open('t.png', await marked().png().toBuffer())
    const turned = await document.picture(0, { ...full, angle: 90 })
    expect([turned.width, turned.height]).toEqual([40, 60])
    expect(isRed(pixel(turned, 32, 8))).toBe(true)
    const part = await document.picture(0, { ...full, angle: 90, region: [0.5, 0, 1, 1 / 3] })
    expect([part.width, part.height]).toEqual([20, 20])
    expect(isRed(pixel(part, 10, 10))).toBe(true)
  })

  it('lays transparency on white', async () => {
    const clear = await sharp({ create: { width: 10, height: 10, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toBuffer()
    await using document = await open('a.png', clear)
    expect(pixel(await document.picture(0, full), 5, 5)).toEqual([255, 255, 255])
    expect(pixel(await document.picture(0, { ...full, channels: 1 }), 5, 5)).toEqual([255])
  })

  it('decodes CMYK, 16-bit and grey pictures', async () => {
    await using cmyk = await open('c.jpg', await marked().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer())
    expect(isRed(pixel(await cmyk.picture(0, full), 8, 8))).toBe(true)
    await using deep = await open('d.png', await marked().toColourspace('rgb16').png().toBuffer())
    expect(isRed(pixel(await deep.picture(0, full), 8, 8))).toBe(true)
    await using grey = await open(
      'g.png',
      await sharp({ create: { width: 8, height: 8, channels: 3, background: '#808080' } })
        .toColourspace('b-w')
        .png()
        .toBuffer(),
    )
    const picture = await grey.picture(0, full)
    expect(picture.data.length).toBe(8 * 8 * 3)
    expect(Math.abs((pixel(picture, 4, 4)[0] ?? 0) - 128)).toBeLessThan(3)
  })

  it('takes every frame of a TIFF for a page', async () => {
    const frame = (color: string) =>
      sharp({ create: { width: 20, height: 20, channels: 3, background: color } })
        .png()
        .toBuffer()
    const both = await sharp([await frame('#ff0000'), await frame('#0000ff')], { join: { animated: true } })
      .tiff()
      .toBuffer()
    await using document = await open('two.tif', both)
    expect(document.info.pageCount).toBe(2)
    expect(isRed(pixel(await document.picture(0, full), 5, 5))).toBe(true)
    expect(isRed(pixel(await document.picture(1, full), 5, 5))).toBe(false)
    await expect(document.picture(2, full)).rejects.toMatchObject({ code: 'page-corrupt' })
  })

  it('refuses a picture that declares too many pixels before decoding it', async () => {
    // The header of a PNG with 50000 x 50000 pixels and nothing after it.
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#ffffff' } })
      .png()
      .toBuffer()
    png.writeUInt32BE(50_000, 16)
    png.writeUInt32BE(50_000, 20)
    await expect(open('bomb.png', png)).rejects.toMatchObject({ code: expect.stringMatching(/page-too-large|picture-corrupt/) })
    const large = await sharp({ create: { width: 1200, height: 1000, channels: 3, background: '#ffffff' } })
      .png()
      .toBuffer()
    await expect(open('large.png', large)).rejects.toMatchObject({ code: 'page-too-large' })
  })

  it.each(['png', 'jpeg', 'webp', 'tiff'] as const)('says that a truncated %s cannot be decoded', async (format) => {
    const noise = Buffer.from(Array.from({ length: 200 * 200 * 3 }, (_, i) => (i * 7919) % 251))
    const whole = await sharp(noise, { raw: { width: 200, height: 200, channels: 3 } })
      .toFormat(format, { quality: 90 })
      .toBuffer()
    const attempt = async () => {
      await using document = await open(`cut.${format}`, whole.subarray(0, Math.floor(whole.length / 2)))
      return document.picture(0, full)
    }
    await expect(attempt()).rejects.toMatchObject({ code: 'picture-corrupt' })
  })

  it('never enlarges and lowers the resolution to the pixels asked for', async () => {
    await using document = await open('s.png', await marked().png().toBuffer())
    expect(await document.picture(0, { ...full, dpi: 1000 })).toMatchObject({ width: 60, height: 40 })
    const small = await document.picture(0, { ...full, maxPixels: 600 })
    expect(small.width * small.height).toBeLessThanOrEqual(620)
    expect(small.dpi).toBeLessThan(60)
  })
})
