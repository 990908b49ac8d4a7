import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/config/package-root.ts'
import { parseHostile } from '../../support/vlm/parse-with-stub.ts'

const scan = ['scan.pdf', await readFile(join(packageRoot(), 'samples/scan.pdf'))] as const
const block = (type: string, box: string) => `<|box_start|>${box}<|box_end|><|ref_start|>${type}<|ref_end|><|rotate_up|>`
const page = [block('text', '100 150 480 400'), block('title', '100 050 900 120'), block('equation', '100 700 480 780')].join('\n')

describe('what answers took', () => {
  it('stands with the page and with the document, the look at the page included', async () => {
    const { document, event } = await parseHostile({ page, block: 'Words.' })
    const { usage } = document
    expect(usage).toMatchObject({ stop: 4, length: 0, stopped: 0, sent: 4 })
    expect(usage?.promptTokens).toBeGreaterThan(4)
    expect(document.pages.map((each) => each.usage)).toEqual([usage])
    expect(usage?.outputTokens).toBeGreaterThan(4)
    expect(event.status).toBe('complete')
  })

  it('counts how often a question was sent, and what a guard or a limit ended', async () => {
    let asked = 0
    const { document } = await parseHostile({
      page: block('text', '100 150 480 400'),
      block: 'Words.',
      fault: ({ index }) => (index > 1 && asked++ === 0 ? { kind: 'status', status: 503 } : undefined),
    })
    expect(document.usage).toMatchObject({ stop: 2, sent: 3 })
    const circles = await parseHostile({ page: block('text', '100 150 480 400'), block: 'round and round '.repeat(2000) })
    expect(circles.document.usage?.stopped).toBeGreaterThan(0)
  })

  it('is told of pages that are read in one pass', async () => {
    const { document } = await parseHostile({ family: 'unlimited-ocr', file: scan, page: '<|det|>text [100, 150, 480, 400]<|/det|>Words of a page.\n' })
    expect(document.usage).toMatchObject({ stop: 1, sent: 1 })
    expect(document.pages[0]?.usage).toEqual(document.usage)
  })
})
