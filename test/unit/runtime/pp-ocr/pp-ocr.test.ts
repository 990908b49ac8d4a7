import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import { locateModel } from '../../../../src/runtime/models/locate-model.ts'
import { ppOcr } from '../../../../src/runtime/pp-ocr/pp-ocr.ts'
import type { TextRegion } from '../../../../src/schema/page.ts'
import { paintedPage, printedPage } from '../../../support/printed-page.ts'

const ocr = ppOcr(configSchema.parse({ workers: 2 }))
afterAll(() => ocr[Symbol.asyncDispose]())

const letter = [
  { text: 'Dear reader of long letters,', x: 60, y: 120, size: 34 },
  { text: 'this page has four lines of print', x: 60, y: 200, size: 34 },
  { text: 'and nothing else to look at.', x: 60, y: 280, size: 34 },
  { text: 'Yours, the press 1984', x: 60, y: 360, size: 34 },
]
const whole: TextRegion = { corners: [0, 0, 1, 0, 1, 1, 0, 1], score: 1 }
const squeezed = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

describe('PP-OCR', () => {
  it('finds lines of print and reads them in the order of the regions', async () => {
    const page = await printedPage(720, 480, letter)
    const { regions, bestProbability } = await ocr.finder.find(page, { longSidePx: 960 })
    expect(bestProbability).toBeGreaterThan(0.9)
    expect(regions).toHaveLength(4)
    const lines = await ocr.reader.read(page, regions)
    expect(lines.map((line) => squeezed(line.text))).toEqual(letter.map((line) => squeezed(line.text)))
    expect(lines.map((line) => line.text.split(' ').length)).toEqual(letter.map((line) => line.text.split(' ').length))
    for (const line of lines) expect(line).toMatchObject({ turned: false, confidence: expect.toSatisfy((value: number) => value > 0.9) })
  })

  it('finds nothing on paper, in noise and in stripes', async () => {
    let seed = 7
    const noise = () => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % 256
    }
    const pages = [paintedPage(600, 800, () => 255), paintedPage(600, 800, noise), paintedPage(600, 800, (x) => (x % 40 < 20 ? 0 : 255))]
    for (const page of pages) expect((await ocr.finder.find(page, { longSidePx: 640 })).regions).toHaveLength(0)
    const [paper] = pages
    if (paper) expect((await ocr.finder.find(paper, { longSidePx: 640 })).bestProbability).toBeLessThan(0.3)
  })

  it('reads lines of an upside-down page by turning them over, and says so', async () => {
    const page = await printedPage(720, 480, letter, 180)
    const { regions } = await ocr.finder.find(page, { longSidePx: 960 })
    const lines = await ocr.reader.read(page, regions)
    expect(lines.filter((line) => line.turned).length).toBeGreaterThanOrEqual(3)
    expect(lines.map((line) => squeezed(line.text))).toContain(squeezed('this page has four lines of print'))
  })

  it('reads lines that run up or down the page', async () => {
    for (const turn of [90, 270] as const) {
      const page = await printedPage(720, 480, letter, turn)
      const { regions } = await ocr.finder.find(page, { longSidePx: 960 })
      const lines = await ocr.reader.read(page, regions)
      expect(lines.map((line) => squeezed(line.text))).toContain(squeezed('this page has four lines of print'))
    }
  })

  it('reads a line of 150 characters without squeezing it', async () => {
    const words = 'the quick brown fox jumps over the lazy dog and runs away '
    const text = words.repeat(3).slice(0, 150).trim()
    const page = await printedPage(2500, 52, [{ text, x: 20, y: 38, size: 27 }])
    const [line] = await ocr.reader.read(page, [whole])
    expect(squeezed(line?.text ?? '')).toBe(squeezed(text))
  })

  it('splits a line that is wider than the recogniser was trained for', async () => {
    const text = 'pack my box with five dozen liquor jugs '.repeat(8).trim()
    const page = await printedPage(4400, 52, [{ text, x: 20, y: 38, size: 27 }])
    const [line] = await ocr.reader.read(page, [whole])
    expect(squeezed(line?.text ?? '')).toBe(squeezed(text))
  })

  it('leaves the event loop free while it reads', async () => {
    const page = await printedPage(720, 480, letter)
    let turns = 0
    const timer = setInterval(() => turns++, 2)
    const { regions } = await ocr.finder.find(page, { longSidePx: 1280 })
    await ocr.reader.read(page, [...regions, ...regions, ...regions])
    clearInterval(timer)
    // On the main thread the loop would turn once between two runs of a model: the finder's and one a line.
    const runs = 1 + 3 * regions.length
    expect(turns).toBeGreaterThan(2 * runs)
  })

  it('stops on abort', async () => {
    const page = await printedPage(720, 480, letter)
    const controller = new AbortController()
    const found = ocr.finder.find(page, { longSidePx: 960 }, controller.signal)
    controller.abort()
    await expect(found).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('PP-OCR with models that are not right', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagestream-ocr-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const page = paintedPage(64, 64, () => 255)

  it('says which model is missing when it is first needed', async () => {
    const broken = ppOcr(configSchema.parse({ models: { detector: 'pp-ocrv6-small-det', directory: folder } }))
    await expect(broken.finder.find(page, { longSidePx: 64 })).rejects.toMatchObject({ code: 'model-missing' })
    await broken[Symbol.asyncDispose]()
  })

  it('refuses a file that is no model, and a model of another kind', async () => {
    const file = join(folder, 'text.onnx')
    writeFileSync(file, 'not a model')
    for (const detector of [file, locateModel('pp-ocrv4-mobile-rec', 'pp-ocr-rec', '').path]) {
      const broken = ppOcr(configSchema.parse({ models: { detector } }))
      await expect(broken.finder.find(page, { longSidePx: 64 })).rejects.toMatchObject({ code: 'model-failed' })
      await broken[Symbol.asyncDispose]()
    }
  })

  it('refuses a reader whose dictionary does not fit', async () => {
    const recognizer = join(folder, 'reader.onnx')
    const { path } = locateModel('pp-ocrv4-mobile-rec', 'pp-ocr-rec', '')
    const { copyFileSync } = await import('node:fs')
    copyFileSync(path, recognizer)
    writeFileSync(join(folder, 'reader.txt'), 'a\nb\nc')
    const broken = ppOcr(configSchema.parse({ models: { recognizer } }))
    await expect(broken.reader.read(page, [whole])).rejects.toThrow(/classes/)
    await broken[Symbol.asyncDispose]()
  })
})
