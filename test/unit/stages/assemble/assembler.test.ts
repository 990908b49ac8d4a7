import { describe, expect, it } from 'vitest'
import { assembled } from '../../../support/assembled.ts'
import { block, failedPage, look, page } from '../../../support/page-results.ts'

describe('assemble', () => {
  it('writes every page block once, in reading order', async () => {
    const blocks = [
      block({ kind: 'heading', text: 'A title', look: look(20), box: [0.1, 0.1, 0.9, 0.15] }),
      block({ kind: 'text', text: 'One paragraph.', box: [0.1, 0.2, 0.9, 0.25] }),
      block({ kind: 'text', text: 'Another paragraph.', box: [0.1, 0.3, 0.9, 0.35] }),
    ]
    const { document, markdown, summary } = await assembled([page(0, blocks)])
    expect(document.blocks.map((b) => [b.id, b.order])).toEqual(blocks.map((b, i) => [b.id, i]))
    expect(markdown).toBe('# A title\n\nOne paragraph.\n\nAnother paragraph.\n')
    expect(summary).toMatchObject({ status: 'complete', pages: 1, failedPages: 0 })
  })

  it('calls a document with a failed page partial and keeps the reason with the page', async () => {
    const { document, summary } = await assembled([page(0, [block({ kind: 'text', text: 'Words.' })]), failedPage(1)])
    expect(document.status).toBe('partial')
    expect(document.pages[1]?.failure?.code).toBe('page-corrupt')
    expect(document.failure).toBeUndefined()
    expect(summary.failedPages).toBe(1)
  })

  it('calls a document failed when no page could be read', async () => {
    const { document } = await assembled([failedPage(0)])
    expect(document.status).toBe('failed')
    expect(document.failure?.code).toBe('page-corrupt')
  })

  it('writes a document that failed before its first page without pages and blocks', async () => {
    const failure = { class: 'input', code: 'document-corrupt', message: 'opening the document: it is damaged' } as const
    const { document, summary } = await assembled([], { failure })
    expect(document).toMatchObject({ status: 'failed', pages: [], blocks: [], failure })
    expect(summary).toMatchObject({ status: 'failed', pages: 0, failure })
  })

  it('leaves no output when a page result cannot be read', async () => {
    let reads = 0
    const result = page(0, [block({ kind: 'text', text: 'Words.' })])
    const failing = assembled([result], { page: async () => (++reads > 1 ? Promise.reject(new Error('gone')) : result) })
    await expect(failing).rejects.toThrow('gone')
  })
})
