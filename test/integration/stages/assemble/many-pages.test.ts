import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentSchema } from '../../../../src/schema/document.ts'

const script = fileURLToPath(new URL('../../../support/assemble-generated.mjs', import.meta.url))
const pages = 5000

interface Report {
  readonly status: string
  readonly pages: number
  readonly maxRssMb: number
  readonly samples: readonly { readonly page: number; readonly heapMb: number }[]
}

describe('assembling a generated document of 5,000 pages', () => {
  let folder = ''
  let report: Report

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pagestream-many-pages-'))
    const args = ['--expose-gc', '--max-old-space-size=128', script, String(pages), folder]
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 })
    report = JSON.parse(stdout) as Report
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('stays below 150 MB resident', () => {
    expect(report).toMatchObject({ status: 'complete', pages })
    expect(report.maxRssMb).toBeLessThan(150)
  })

  it('holds no more at the end of either pass than a few numbers of each page', () => {
    const [first, second] = [report.samples.slice(0, pages / 250), report.samples.slice(pages / 250)]
    for (const pass of [first, second]) {
      const growthMb = (pass.at(-1)?.heapMb ?? 0) - (pass.find((s) => s.page === 500)?.heapMb ?? 0)
      expect(growthMb * 1024).toBeLessThan(pages * 1.5)
    }
  })

  it('joins every paragraph that a page had broken and keeps every block', async () => {
    const document = documentSchema.parse(JSON.parse(await readFile(join(folder, 'document.json'), 'utf8')))
    const kinds = (kind: string) => document.blocks.filter((b) => b.kind === kind)
    // Of eight blocks a page, one is absorbed into the page before, but on the first page.
    expect(document.blocks).toHaveLength(pages * 8 - (pages - 1))
    expect(kinds('text').filter((b) => b.flags.includes('merged'))).toHaveLength(pages - 1)
    expect(kinds('page_header')).toHaveLength(pages)
    expect(kinds('page_number')).toHaveLength(pages)
    expect(kinds('table').every((b) => b.table?.rows === 10)).toBe(true)
  })
})
