import { describe, expect, it } from 'vitest'
import type { Documents, OpenDocument } from '../../../../src/runtime/document-reader.ts'
import { PagestreamError } from '../../../../src/schema/failure.ts'
import type { DocumentSource, PageRef } from '../../../../src/schema/page.ts'
import { pageRenderStage } from '../../../../src/stages/page-render/stage.ts'

const source: DocumentSource = { name: 'a', path: 'a', mediaType: '', bytes: 1, sha256: '' }
const inputs = (count: number) =>
  Array.from({ length: count }, (_, pageIndex): { page: PageRef } => ({
    page: { documentId: 'a', revision: 'r', pageIndex, pageCount: count, ocr: 'auto', source },
  }))

/** Pages that take the given time; page 2 is broken. */
function fakeDocuments(delayMs: (pageIndex: number) => number): Documents & { atOnce: number } {
  let running = 0
  const documents = {
    atOnce: 0,
    async use<T>(_: DocumentSource, action: (document: OpenDocument) => Promise<T>): Promise<T> {
      return action({
        async textLayer(pageIndex: number) {
          documents.atOnce = Math.max(documents.atOnce, ++running)
          await new Promise((resolve) => setTimeout(resolve, delayMs(pageIndex)))
          running--
          if (pageIndex === 2) throw new PagestreamError('page-timeout', 'reading page 3: too long')
          return { width: 100 + pageIndex, height: 200 }
        },
      } as unknown as OpenDocument)
    },
    async release() {},
    async [Symbol.asyncDispose]() {},
  }
  return documents
}

describe('pageRenderStage', () => {
  it.each([
    ['auto', true, false],
    ['always', false, false],
    ['always', true, true],
  ] as const)('reads no more than the size of pages that a model reads in any case: ocr %s, left to a model %s', async (ocr, leftToModel, sizeOnly) => {
    const asked: unknown[] = []
    const document = {
      async textLayer(_: number, options: unknown) {
        asked.push(options)
        return { width: 1, height: 1 }
      },
    } as unknown as OpenDocument
    const documents = { use: (_: unknown, action: (open: OpenDocument) => unknown) => action(document) } as unknown as Documents
    const pages = inputs(1).map(({ page }) => ({ page: { ...page, ocr } }))
    for await (const _ of pageRenderStage({ documents, leftToModel }).process({ id: 1, pages }, new AbortController().signal));
    expect(asked).toEqual([{ sizeOnly }])
  })

  it('yields each page as soon as it is read, the failed one as an outcome', async () => {
    const stage = pageRenderStage({ documents: fakeDocuments((i) => (i === 0 ? 60 : 5)) })
    const seen: (number | string)[] = []
    for await (const outcome of stage.process({ id: 1, pages: inputs(4) }, new AbortController().signal)) {
      seen.push(outcome.kind === 'done' ? outcome.value.frame.width : outcome.failure.code)
    }
    expect(seen.at(-1)).toBe(100)
    expect(seen.toSorted()).toEqual([100, 101, 103, 'page-timeout'])
  })

  it('keeps a bounded number of pages in flight', async () => {
    const documents = fakeDocuments(() => 1)
    for await (const _ of pageRenderStage({ documents }).process({ id: 1, pages: inputs(200) }, new AbortController().signal));
    expect(documents.atOnce).toBeGreaterThan(8)
    expect(documents.atOnce).toBeLessThanOrEqual(64)
  })

  it('begins nothing after an abort but yields what is in flight', async () => {
    const controller = new AbortController()
    let yielded = 0
    for await (const _ of pageRenderStage({ documents: fakeDocuments(() => 5) }).process({ id: 1, pages: inputs(200) }, controller.signal)) {
      yielded++
      controller.abort()
    }
    expect(yielded).toBe(64)
  })
})
