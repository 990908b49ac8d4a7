import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import type { Picture } from '../../../../src/runtime/document-reader.ts'
import { documentReader } from '../../../../src/runtime/documents/open-document-reader.ts'
import type { PointBox, TextLayer } from '../../../../src/schema/text-layer.ts'

const corpus = fileURLToPath(new URL('../../../../../shared/corpus/', import.meta.url))

/** Lines as text, words parted as the layer says. */
const lines = (layer: TextLayer): string[] =>
  layer.lines.map(({ first, count }) =>
    layer.words
      .slice(first, first + count)
      .map((word) => (word.spaceBefore ? ` ${word.text}` : word.text))
      .join(''),
  )

/** Whether anything dark stands in a box of the page. */
function hasInk(picture: Picture, box: PointBox, scale: number): boolean {
  const [x0, y0, x1, y1] = box.map((v) => Math.round(v * scale)) as [number, number, number, number]
  for (let y = Math.max(0, y0); y < Math.min(picture.height, y1); y++) {
    const row = picture.data.subarray(y * picture.width + Math.max(0, x0), y * picture.width + Math.min(picture.width, x1))
    if (row.some((value) => value < 160)) return true
  }
  return false
}

describe.skipIf(!existsSync(corpus))('text layers of real documents (needs the shared corpus)', () => {
  const reader = documentReader(configSchema.parse({ workers: 1 }))
  afterAll(() => reader[Symbol.asyncDispose]())

  const read = async (name: string, pageIndex = 0): Promise<TextLayer> => {
    await using document = await reader.open({ name, path: corpus + name, mediaType: '', bytes: 1, sha256: '' }, {})
    return document.textLayer(pageIndex)
  }

  it.each([
    ['parse/multi-column-2p.pdf', 'Vladimir Karpukhin∗, Barlas Oğuz∗, Sewon Min†, Patrick Lewis,'],
    ['parse/medium.pdf', 'Core mutations, IL28B polymorphisms and'],
    ['parse/fake-bold-sample.pdf', 'Testing Deduplication'],
    ['parse/fake-bold-sample.pdf', 'BOLD TEXT SAMPLE'],
    ['parse/pdflatex-4-pages.pdf', 'Hello, here is some text without a meaning. This text should show what a printed text'],
    ['parse/right_to_left_01.pdf', 'بشكل كبير في تحسين نتائج العمل.'],
    ['parse/vertical.pdf', 'あいうえお'],
    ['parse/bug1997343.pdf', '𝑛𝑝 = 𝑛 mod 𝑝'],
  ])('reads a line of %s letter by letter: %s', async (name, line) => {
    expect(lines(await read(name))).toContain(line)
  })

  it('reads columns of vertical Japanese', async () => {
    const layer = await read('parse/jo.pdf')
    expect(layer.lines.filter((line) => line.vertical).length).toBeGreaterThan(0.9 * layer.lines.length)
    for (const line of layer.lines.filter((l) => l.count > 0 && l.vertical)) expect(line.box[3] - line.box[1]).toBeGreaterThan(0)
  })

  it('counts characters without a Unicode value', async () => {
    const layer = await read('scan/cid-font-no-tounicode.pdf')
    expect(layer.unmappedChars / layer.totalChars).toBeGreaterThan(0.9)
    const sound = await read('parse/medium.pdf')
    expect(sound.unmappedChars / sound.totalChars).toBeLessThan(0.01)
  })

  it('tells that an OCR layer cannot be seen', async () => {
    for (const name of ['scan/Seige_of_Vicksburg_Sample_OCR.pdf', 'scan/horribleocr.pdf']) {
      const { words } = await read(name)
      expect(words.length).toBeGreaterThan(100)
      expect(words.every((word) => word.hidden !== undefined)).toBe(true)
    }
  })

  it.each(['parse/multi-column-2p.pdf', 'parse/amt_handbook_sample.pdf', 'parse/PDFBOX-2984-rotations.pdf', 'parse/habibi-rotated.pdf'])(
    'has ink inside the boxes of the words of %s and none on its margins',
    async (name) => {
      await using document = await reader.open({ name, path: corpus + name, mediaType: '', bytes: 1, sha256: '' }, {})
      for (let page = 0; page < document.info.pageCount; page++) {
        const layer = await document.textLayer(page)
        const picture = await document.picture(page, { dpi: 144, angle: 0, channels: 1 })
        const inked = layer.words.filter((word) => hasInk(picture, word.box, picture.width / layer.width)).length
        expect(inked / layer.words.length, `page ${page + 1}`).toBeGreaterThan(0.97)
      }
    },
  )
})
