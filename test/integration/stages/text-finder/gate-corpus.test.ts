import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import type { VerdictKind } from '../../../../src/schema/page.ts'
import { corpus, GatedCorpus } from '../../../support/gated-corpus.ts'

const exists = existsSync(corpus)
const gates = new GatedCorpus(configSchema.parse({}))
afterAll(() => gates[Symbol.asyncDispose]())

const kinds = async (file: string, pages?: number): Promise<VerdictKind[]> => (await gates.gate(file, pages)).map((page) => page.verdict.kind)

/** What is on the pages of the scans, by a person who looked at them. */
const scans: Readonly<Record<string, readonly VerdictKind[]>> = {
  'borderless_table.png': ['needs-reading'],
  'c02-22.pdf': ['needs-reading'],
  'cardinal.pdf': ['needs-reading', 'needs-reading', 'needs-reading', 'needs-reading'],
  'chinese_scan.pdf': ['needs-reading'],
  'cid-font-no-tounicode.pdf': ['needs-reading'],
  'dolma-page-1.pdf': ['needs-reading'],
  'horribleocr.pdf': ['needs-reading'],
  'img_exif_orientation.jpg': ['needs-reading'],
  'jbig2.pdf': ['needs-reading'],
  'lichtenstein.pdf': ['blank'],
  'linn.png': ['needs-reading'],
  'loremipsum-flat.pdf': ['needs-reading'],
  'nemotron_multipage.pdf': ['needs-reading', 'needs-reading', 'needs-reading', 'needs-reading'],
  'ocr_test.pdf': ['needs-reading'],
  'ocr_test_rotated_180.pdf': ['needs-reading'],
  'ocr_test_rotated_90.pdf': ['needs-reading'],
  'pdf_image_middle.pdf': ['mixed'],
  'phototest.tif': ['needs-reading'],
  'rotated_skew.pdf': ['needs-reading'],
  'skew.pdf': ['needs-reading'],
  'typewriter.png': ['needs-reading'],
}

describe.skipIf(!exists)('the gate on real scans (needs the shared corpus)', () => {
  it.each(Object.entries(scans))('decides rightly about %s', async (file, expected) => {
    expect(await kinds(`scan/${file}`)).toEqual(expected)
  })

  it('keeps an invisible layer that agrees with its scan, and shows its words', async () => {
    const pages = await gates.gate('scan/Seige_of_Vicksburg_Sample_OCR.pdf')
    for (const { verdict, textLayer } of pages) {
      expect(verdict).toMatchObject({ kind: 'text-layer', modelUsed: true })
      expect(verdict.reasons).toContain('hidden-layer-agrees')
      expect(textLayer.words.filter((word) => word.hidden)).toEqual([])
    }
  })

  it.each([
    ['scan/cardinal.pdf', [0, 270, 180, 90]],
    ['scan/nemotron_multipage.pdf', [0, 180, 270, 90]],
    ['scan/skew.pdf', [0]],
    ['scan/rotated_skew.pdf', [0]],
  ] as const)('turns the pages of %s upright', async (file, angles) => {
    expect((await gates.gate(file)).map((page) => page.frame.angle)).toEqual(angles)
  })

  it('finds the illustration of a book page beside its print', async () => {
    const [page] = await gates.gate('scan/c02-22.pdf')
    const boxes = page?.textLayer.pictures.map(({ box }) => box) ?? []
    const share = boxes.reduce((sum, [x0, y0, x1, y1]) => sum + ((x1 - x0) * (y1 - y0)) / ((page?.frame.width ?? 1) * (page?.frame.height ?? 1)), 0)
    expect(share).toBeGreaterThan(0.08)
    expect(share).toBeLessThan(0.6)
  })
})

describe.skipIf(!exists)('the gate on good digital documents (needs the shared corpus)', () => {
  const folder = join(corpus, 'parse')
  const files = exists ? readdirSync(folder).filter((file) => file.endsWith('.pdf')) : []

  it.each(files)(
    'keeps the text layer of %s',
    async (file) => {
      for (const { verdict, page } of await gates.gate(`parse/${file}`)) {
        expect(['text-layer', 'mixed', 'blank'], `page ${page.pageIndex + 1}: ${verdict.reasons.join(', ')}`).toContain(verdict.kind)
      }
    },
    120_000,
  )

  it('settles nearly all of a long one without a model', async () => {
    const pages = await gates.gate('parse/GeoTopo-komprimiert.pdf', 117)
    expect(pages.filter((page) => page.verdict.modelUsed).length).toBeLessThanOrEqual(6)
    expect(pages.filter((page) => page.verdict.badStyles.length > 0)).toHaveLength(0)
  })
})
