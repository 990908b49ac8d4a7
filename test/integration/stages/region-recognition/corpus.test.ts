import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import type { Documents } from '../../../../src/runtime/document-reader.ts'
import { documentPool } from '../../../../src/runtime/documents/document-pool.ts'
import { documentReader } from '../../../../src/runtime/documents/open-document-reader.ts'
import type { LineReader } from '../../../../src/runtime/text-reader.ts'
import { type PageResult, pageResultSchema } from '../../../../src/schema/page.ts'
import type { TextLayer } from '../../../../src/schema/text-layer.ts'
import { layoutStage } from '../../../../src/stages/layout/stage.ts'
import { regionRecognitionStage } from '../../../../src/stages/region-recognition/stage.ts'
import type { GatedPage } from '../../../../src/stages/stage-values.ts'

const folder = fileURLToPath(new URL('../../../../../shared/corpus/', import.meta.url))
const config = { ...configSchema.parse({}), workers: 1, images: false }
const noReader: LineReader = { model: 'none', read: () => Promise.reject(new Error('nothing is to be read here')) }
const never = new AbortController().signal

async function only<T>(outcomes: AsyncIterable<T>): Promise<T | undefined> {
  for await (const outcome of outcomes) return outcome
  return undefined
}

/** Every page of a document with the words of its text layer taken for right. */
async function* pagesOf(documents: Documents, path: string): AsyncIterable<{ layer: TextLayer; result: PageResult }> {
  const bytes = readFileSync(path)
  const source = { name: path, path, mediaType: 'application/pdf', bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  const pageCount = await documents.use(source, async (document) => document.info.pageCount)
  const recognition = regionRecognitionStage({ documents, reader: noReader, config })
  for (let pageIndex = 0; pageIndex < pageCount; pageIndex++) {
    const layer = await documents.use(source, (document) => document.textLayer(pageIndex))
    const gated: GatedPage = {
      page: { documentId: 'd', revision: 'r', pageIndex, pageCount, ocr: 'never', source },
      frame: { width: layer.width, height: layer.height, angle: 0 },
      textLayer: layer,
      verdict: { kind: 'text-layer', reasons: [], regions: [], modelUsed: false, badStyles: [] },
    }
    const laid = await only(layoutStage().process({ id: 1, pages: [gated] }, never))
    if (laid?.kind !== 'done') throw new Error(`page ${pageIndex + 1} was not laid out`)
    const read = await only(recognition.process({ id: 1, pages: [laid.value] }, never))
    if (read?.kind !== 'done') throw new Error(`page ${pageIndex + 1} was not read`)
    yield { layer, result: pageResultSchema.parse(read.value.result) }
  }
}

/** Letters and figures alone, as often as they occur: what hyphenation, spacing and presentation forms cannot change. */
function characters(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const character of text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '')) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  return counts
}

describe.skipIf(!existsSync(`${folder}parse`))('region recognition of born-digital documents (needs the shared corpus)', () => {
  const files = existsSync(`${folder}parse`) ? readdirSync(`${folder}parse`).filter((name) => name.endsWith('.pdf')) : []

  it.each(files)('gives every word of %s exactly once', async (file) => {
    const reader = documentReader(config)
    await using documents = documentPool(reader, config, () => undefined)
    try {
      for await (const { layer, result } of pagesOf(documents, `${folder}parse/${file}`)) {
        expect(result.lostWords, `page ${result.index + 1}`).toBe(0)
        expect(result.flags).not.toContain('lost-text')
        const printed = characters(layer.words.map((word) => word.text))
        const given = characters(result.blocks.map((block) => block.text))
        for (const [character, count] of printed) {
          expect(given.get(character), `"${character}" on page ${result.index + 1}`).toBe(count)
        }
      }
    } finally {
      await reader[Symbol.asyncDispose]()
    }
  })
})
