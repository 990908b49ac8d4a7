import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import { editDistance } from '../../../../src/stages/text-finder/edit-distance.ts'
import { corpus, GatedCorpus } from '../../../support/gated-corpus.ts'

const newest = fileURLToPath(new URL('../../../../../shared/models/onnx/', import.meta.url))

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\s+/g, ' ')
    .trim()

/** Share of wrong characters, blanks counted, over the text cut to pieces that the distance can take. */
function errorRate(read: string, truth: string): number {
  const [a, b] = [plain(read), plain(truth)]
  return editDistance(a, b) / Math.min(400, b.length)
}

/** Pages whose lines stand below each other, with the most that may be wrong. */
const pages = [
  ['scan/phototest.tif', 'phototest', 0.03],
  ['scan/typewriter.png', 'typewriter', 0.12],
  ['scan/cid-font-no-tounicode.pdf', 'cid-font-no-tounicode', 0.08],
  ['scan/chinese_scan.pdf', 'chinese_scan', 0.12],
] as const

describe.skipIf(!existsSync(corpus))('reading real scans (needs the shared corpus)', () => {
  const gates = new GatedCorpus(configSchema.parse({}))
  afterAll(() => gates[Symbol.asyncDispose]())

  it.each(pages)('gets %s right but for the odd character', async (file, truth, most) => {
    const [page] = await gates.gate(file)
    const read = page ? await gates.read(page) : []
    expect(errorRate(read.join(' '), readFileSync(`${corpus}scan/groundtruth/${truth}.txt`, 'utf8'))).toBeLessThanOrEqual(most)
  })

  it('reads a page alike in all four directions', async () => {
    const texts: string[] = []
    for (const page of await gates.gate('scan/cardinal.pdf')) texts.push((await gates.read(page)).join(' '))
    for (const text of texts) {
      expect(text).toMatch(/32 Track M.DI Sequence Recorder/)
      expect(Math.abs(text.length - (texts[0]?.length ?? 0)) / text.length).toBeLessThan(0.02)
    }
  }, 240_000)
})

describe.skipIf(!existsSync(newest) || !existsSync(corpus))('the newest models (needs the shared corpus and models)', () => {
  const models = { detector: 'pp-ocrv6-small-det', recognizer: 'pp-ocrv6-small-rec', directory: newest }
  const gates = new GatedCorpus(configSchema.parse({ models }))
  afterAll(() => gates[Symbol.asyncDispose]())

  it('run through the same code by configuration alone, with the dictionary inside the model file', async () => {
    const [page] = await gates.gate('scan/phototest.tif')
    const read = page ? await gates.read(page) : []
    expect(errorRate(read.join(' '), readFileSync(`${corpus}scan/groundtruth/phototest.txt`, 'utf8'))).toBeLessThanOrEqual(0.01)
  })
})
