import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import type { DocumentReader, Picture } from '../../../../src/runtime/document-reader.ts'
import { documentReader } from '../../../../src/runtime/documents/open-document-reader.ts'
import { fill, show, stream, type TinyImage, tinyPdf } from '../../../support/tiny-pdf.ts'
import { documentFolder } from '../../../support/written-document.ts'

let reader: DocumentReader
let folder: Awaited<ReturnType<typeof documentFolder>>

beforeAll(async () => {
  reader = documentReader(
    configSchema.parse({
      workers: 1,
      limits: { maxRenderPixels: 2_000_000, maxPagePoints: 5000, maxDocumentBytes: 1_000_000, engineMemoryBytes: 96 * 1024 ** 2 },
    }),
  )
  folder = await documentFolder()
})
afterAll(async () => {
  await reader[Symbol.asyncDispose]()
  await folder.remove()
})

const open = async (name: string, bytes: Uint8Array, password?: string) =>
  reader.open(await folder.write(name, bytes), password === undefined ? {} : { password })
const pixel = (picture: Picture, x: number, y: number): number[] => {
  const at = (y * picture.width + x) * picture.channels
  return [...picture.data.subarray(at, at + picture.channels)]
}

describe('opening', () => {
  it.each([
    ['empty', '', 'document-empty'],
    ['html', '<!doctype html><title>x</title>', 'document-not-supported'],
    ['header-only', '%PDF-1.7\n', 'document-corrupt'],
    ['large', `%PDF-1.7\n${'x'.repeat(1_000_001)}`, 'document-too-large'],
    ['cut-picture', '\x89PNG\r\n\x1a\n\x00\x00', 'picture-corrupt'],
  ])('refuses the file %s with its reason', async (name, text, code) => {
    await expect(open(name, Buffer.from(text, 'latin1'))).rejects.toMatchObject({ code })
  })

  it('refuses a file that is not there', async () => {
    await expect(reader.open({ name: 'x', path: '/nowhere/x.pdf', mediaType: '', bytes: 0, sha256: '' }, {})).rejects.toMatchObject({
      code: 'document-not-found',
    })
  })

  it('refuses a document without pages', async () => {
    await expect(open('no-pages.pdf', tinyPdf([]))).rejects.toMatchObject({ code: 'document-no-pages' })
  })

  it('says that the security handler is no password', async () => {
    const file = tinyPdf([{ content: show('secret', 72, 700) }]).toString('latin1')
    const encrypted = file.replace('/Root 1 0 R', '/Root 1 0 R /Encrypt << /Filter /Adobe.PubSec /V 4 >> /ID [<00> <00>]')
    await expect(open('certificate.pdf', Buffer.from(encrypted, 'latin1'))).rejects.toMatchObject({ code: 'unsupported-encryption' })
  })

  it('reads a PDF with junk before its header', async () => {
    const junk = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'.repeat(20)), tinyPdf([{ content: show('found', 72, 700) }])])
    await using document = await open('junk.pdf', junk)
    expect((await document.textLayer(0)).words.map((w) => w.text)).toEqual(['found'])
  })

  it('reads a PDF whose cross-reference table is lost', async () => {
    const file = tinyPdf([{ content: show('mended', 72, 700) }])
    await using document = await open('cut.pdf', Buffer.concat([file.subarray(0, file.indexOf('xref\n')), file.subarray(file.indexOf('trailer'))]))
    expect((await document.textLayer(0)).words.map((w) => w.text)).toEqual(['mended'])
  })

  it('goes on after a document that exhausts the engine', async () => {
    const form = (other: number) => stream(`/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /N ${other} 0 R >> >>`, '/N Do '.repeat(3))
    const bomb = tinyPdf([{ content: '/N Do', resources: '/XObject << /N 100 0 R >>' }, { content: show('second', 72, 700) }], {
      objects: [form(101), form(100)],
    })
    await using document = await open('bomb.pdf', bomb)
    await expect(document.textLayer(0)).rejects.toMatchObject({ code: 'page-memory' })
    expect((await document.textLayer(1)).words.map((w) => w.text)).toEqual(['second'])
  })

  it.each([
    ['over the limit', [0, 0, 6000, 100]],
    ['zero', [0, 0, 0, 0]],
  ] as const)('gives a page whose size is %s an answer, not memory', async (_, mediaBox) => {
    await using document = await open('size.pdf', tinyPdf([{ content: '', mediaBox }]))
    const layer = await document.textLayer(0).catch((error) => error.code)
    // The engine takes an empty box for a Letter page.
    if (mediaBox[2] === 0) expect(layer).toMatchObject({ width: 612 })
    else expect(layer).toBe('page-too-large')
  })

  it('refuses a page that the document does not have', async () => {
    await using document = await open('one.pdf', tinyPdf([{ content: '' }]))
    await expect(document.textLayer(1)).rejects.toMatchObject({ code: 'page-corrupt' })
  })
})

describe('rendering', () => {
  const red = fill(0, 692, 100, 100, '1 0 0')
  const corner = async (rotate: 0 | 90, angle: 0 | 90 | 180 | 270) => {
    await using document = await open('corner.pdf', tinyPdf([{ content: red, rotate }]))
    const picture = await document.picture(0, { dpi: 72, angle, channels: 3 })
    const [w, h] = [picture.width - 20, picture.height - 20]
    const isRed = (x: number, y: number) => pixel(picture, x, y).join() === '255,0,0'
    return {
      size: [picture.width, picture.height],
      at: ['top-left', 'top-right', 'bottom-right', 'bottom-left'].filter((_, i) => isRed(i === 1 || i === 2 ? w : 20, i >= 2 ? h : 20)),
    }
  }

  it.each([
    [0, 0, [612, 792], 'top-left'],
    [0, 90, [792, 612], 'top-right'],
    [0, 180, [612, 792], 'bottom-right'],
    [0, 270, [792, 612], 'bottom-left'],
    [90, 0, [792, 612], 'top-right'],
    [90, 270, [612, 792], 'top-left'],
  ] as const)('shows a page with /Rotate %i turned by %i', async (rotate, angle, size, at) => {
    expect(await corner(rotate, angle)).toEqual({ size, at: [at] })
  })

  it('renders a part at its own resolution', async () => {
    await using document = await open('part.pdf', tinyPdf([{ content: red }]))
    const picture = await document.picture(0, { dpi: 144, angle: 0, channels: 3, region: [0, 0, 100 / 612, 100 / 792] })
    expect([picture.width, picture.height, picture.dpi]).toEqual([200, 200, 144])
    expect(pixel(picture, 5, 5)).toEqual([255, 0, 0])
    expect(pixel(picture, 195, 195)).toEqual([255, 0, 0])
  })

  it('renders grey as one channel on white', async () => {
    await using document = await open('grey.pdf', tinyPdf([{ content: fill(0, 692, 100, 100, '0 0 0') }]))
    const picture = await document.picture(0, { dpi: 72, angle: 0, channels: 1 })
    expect([picture.channels, picture.data.length]).toEqual([1, 612 * 792])
    expect([pixel(picture, 50, 50)[0], pixel(picture, 300, 300)[0]]).toEqual([0, 255])
  })

  it.each([
    ['one where nothing has a colour', '0.5 0.5 0.5', 1, [128]],
    ['three where something has', '0.5 0.5 0.6', 3, [128, 128, 153]],
  ] as const)('renders as few channels as a page needs: %s', async (_, colour, channels, seen) => {
    await using document = await open('few.pdf', tinyPdf([{ content: fill(0, 692, 100, 100, colour) }]))
    const picture = await document.picture(0, { dpi: 72, angle: 0, channels: 'fewest' })
    expect([picture.channels, picture.data.length]).toEqual([channels, channels * 612 * 792])
    expect(pixel(picture, 50, 50).map((value, i) => Math.abs(value - (seen[i] ?? 0)) <= 1)).toEqual(seen.map(() => true))
    expect(pixel(picture, 300, 300)[0]).toBe(255)
  })

  it('lowers the resolution rather than passing the pixel limit', async () => {
    await using document = await open('many.pdf', tinyPdf([{ content: red }]))
    const picture = await document.picture(0, { dpi: 1200, angle: 0, channels: 1 })
    expect(picture.width * picture.height).toBeLessThan(2_010_000)
    const smaller = await document.picture(0, { dpi: 1200, angle: 0, channels: 1, maxPixels: 10_000 })
    expect(smaller.width * smaller.height).toBeLessThan(10_200)
  })

  it('shows a scan at the resolution of its picture', async () => {
    const image: TinyImage = { width: 306, height: 396, rgb: new Uint8Array(306 * 396 * 3).fill(90) }
    await using document = await open('scan.pdf', tinyPdf([{ content: 'q 612 0 0 792 0 0 cm /Im Do Q', images: { Im: image } }, { content: red }]))
    expect(await document.picture(0, { dpi: 'native', angle: 0, channels: 1 })).toMatchObject({ width: 612, height: 792, dpi: 72 })
    expect((await document.picture(1, { dpi: 'native', angle: 0, channels: 1 })).dpi).toBeGreaterThan(100)
  })

  it('draws the value of a form field that has no appearance', async () => {
    const objects = [
      '<< /Fields [101 0 R] /DA (/F1 12 Tf 0 g) /DR << /Font << /F1 1000 0 R >> >> >>',
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (city) /V (MMMMM) /DA (/F1 24 Tf 0 g) /Rect [72 700 272 730] /P 1005 0 R >>',
    ]
    await using document = await open('form.pdf', tinyPdf([{ content: '', entries: '/Annots [101 0 R]' }], { objects, catalog: '/AcroForm 100 0 R' }))
    const picture = await document.picture(0, { dpi: 72, angle: 0, channels: 1, region: [72 / 612, 62 / 792, 272 / 612, 92 / 792] })
    expect(picture.data.some((value) => value < 100)).toBe(true)
  })
})
