import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import type { Documents, OpenDocument, Picture, PictureOptions } from '../../../../src/runtime/document-reader.ts'
import type { LineReader, TextFinder } from '../../../../src/runtime/text-reader.ts'
import { PagestreamError } from '../../../../src/schema/failure.ts'
import type { PageRef, TextRegion } from '../../../../src/schema/page.ts'
import type { TextLayer } from '../../../../src/schema/text-layer.ts'
import type { GatedPage } from '../../../../src/stages/stage-values.ts'
import { textFinderStage } from '../../../../src/stages/text-finder/stage.ts'
import { paintedPage } from '../../../support/printed-page.ts'
import { pageRef, printedWords, textLayer } from '../../../support/text-layers.ts'

const line = (y: number, score = 0.9): TextRegion => ({ score, corners: [0.1, y, 0.9, y, 0.9, y + 0.05, 0.1, y + 0.05] })

/** Engines that count how often they are asked and answer what the test says. */
function engines(found: readonly TextRegion[], options: { best?: number; failing?: boolean } = {}) {
  const asked = { pictures: [] as PictureOptions[], finds: 0, reads: 0 }
  const picture: Picture = paintedPage(200, 260, () => 255)
  const document: OpenDocument = {
    info: { pageCount: 1, mediaType: 'application/pdf', metadata: {}, outline: [], tagged: false, flags: [] },
    textLayer: async () => textLayer(),
    picture: async (_, wanted) => {
      if (options.failing) throw new PagestreamError('page-crashed', 'rendering page 1: the engine trapped')
      asked.pictures.push(wanted)
      return picture
    },
    [Symbol.asyncDispose]: async () => {},
  }
  const documents: Documents = { use: (_, action) => action(document), release: async () => {}, [Symbol.asyncDispose]: async () => {} }
  const finder: TextFinder = {
    model: 'fake',
    find: async () => {
      asked.finds++
      return { regions: found, bestProbability: options.best ?? (found.length > 0 ? 0.99 : 0.01) }
    },
  }
  const reader: LineReader = {
    model: 'fake',
    read: async (_, regions) => {
      asked.reads += regions.length
      return regions.map(() => ({ text: 'a line of print', confidence: 0.97, turned: false }))
    },
  }
  return { asked, documents, finder, reader }
}

async function gate(layer: TextLayer, fakes: ReturnType<typeof engines>, page: Partial<PageRef> = {}): Promise<GatedPage> {
  const stage = textFinderStage({ ...fakes, config: configSchema.parse({ workers: 1 }) })
  const input = { page: pageRef(page), frame: { width: layer.width, height: layer.height, angle: 0 as const }, textLayer: layer }
  for await (const outcome of stage.process({ id: 0, pages: [input] }, new AbortController().signal)) {
    if (outcome.kind === 'done') return outcome.value
    throw new Error(outcome.failure.code)
  }
  throw new Error('no outcome')
}

const words = printedWords('These words are plain and stand upright on the page where anybody can read them without a doubt')
const scan = { box: [0, 0, 612, 792], widthPx: 2550, heightPx: 3300 } as const

describe('the text-finder stage', () => {
  it('asks neither for a picture nor for a model when the layer settles the page', async () => {
    const fakes = engines([])
    expect((await gate(textLayer({ words }), fakes)).verdict).toMatchObject({ kind: 'text-layer', modelUsed: false })
    expect((await gate(textLayer(), fakes)).verdict).toMatchObject({ kind: 'blank', modelUsed: false })
    expect(fakes.asked).toEqual({ pictures: [], finds: 0, reads: 0 })
  })

  it('sends a scan to be read, with its regions', async () => {
    const { verdict } = await gate(textLayer({ pictures: [scan] }), engines([line(0.1), line(0.3), line(0.5), line(0.7)]))
    expect(verdict).toMatchObject({ kind: 'needs-reading', modelUsed: true, reasons: ['page-is-picture', 'writing-found'] })
    expect(verdict.regions).toHaveLength(4)
  })

  it('calls a scan without writing blank', async () => {
    expect((await gate(textLayer({ pictures: [scan] }), engines([]))).verdict).toMatchObject({ kind: 'blank', modelUsed: true })
    expect((await gate(textLayer({ pictures: [scan] }), engines([], { best: 0.7 }))).verdict.reasons).toContain('faint-writing')
  })

  it('looks only at the picture of a page with good words, and keeps what no word covers', async () => {
    const fakes = engines([line(0.4)])
    const page = await gate(textLayer({ words, pictures: [{ box: [60, 396, 500, 594], widthPx: 900, heightPx: 400 }] }), fakes)
    expect(page.verdict).toMatchObject({ kind: 'mixed', modelUsed: true, reasons: ['picture-with-writing'], badStyles: [] })
    const region = fakes.asked.pictures[0]?.region ?? [0, 0, 0, 0]
    expect(region[1]).toBeGreaterThan(0.45)
    expect(page.verdict.regions[0]?.corners[1]).toBeGreaterThan(0.5)
  })

  it('places the words of a wrong font as regions without asking a model', async () => {
    const bad = printedWords('\ue001\ue002\ue003\ue004\ue005 \ue006\ue007\ue008', { style: 1 }, 300)
    const styles = [...textLayer().styles, ...textLayer().styles.map((style) => ({ ...style, font: 'Odd' }))]
    const fakes = engines([])
    const { verdict } = await gate(textLayer({ words: [...words, ...bad], styles }), fakes)
    expect(verdict).toMatchObject({ kind: 'mixed', badStyles: [1], modelUsed: false })
    expect(verdict.regions.length).toBeGreaterThan(0)
    expect(fakes.asked.finds).toBe(0)
  })

  it('turns a page with sideways words upright', async () => {
    const sideways = words.map((word) => ({ ...word, angle: 90 }))
    const page = await gate(textLayer({ words: sideways }), engines([]))
    expect(page.frame).toEqual({ width: 792, height: 612, angle: 270 })
    expect(page.textLayer.words.every((word) => word.angle === 0)).toBe(true)
    expect(page.verdict.reasons).toContain('turned-page')
  })

  it('reads every page when told to, and asks no model when told not to', async () => {
    const regions = [line(0.1), line(0.3), line(0.5), line(0.7)]
    expect((await gate(textLayer({ words }), engines(regions), { ocr: 'always' })).verdict).toMatchObject({ kind: 'needs-reading', badStyles: [0] })
    const fakes = engines(regions)
    expect((await gate(textLayer({ pictures: [scan] }), fakes, { ocr: 'never' })).verdict.kind).toBe('blank')
    expect(fakes.asked.finds).toBe(0)
  })

  it('yields a failure for a page that cannot be drawn', async () => {
    await expect(gate(textLayer({ pictures: [scan] }), engines([], { failing: true }))).rejects.toThrow('page-crashed')
  })

  it('counts a page that must be read dearer than one that is settled', () => {
    const stage = textFinderStage({ ...engines([]), config: configSchema.parse({}) })
    const cost = (layer: TextLayer) => stage.cost({ page: pageRef(), frame: { width: 612, height: 792, angle: 0 }, textLayer: layer })
    expect(cost(textLayer({ pictures: [scan] }))).toBeGreaterThan(50 * cost(textLayer({ words })))
  })
})
