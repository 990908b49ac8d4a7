import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ProgressBar } from '../../../src/cli/progress-bar.ts'
import type { ParseEvent } from '../../../src/parse/parse-events.ts'

const page: ParseEvent = { type: 'page', documentId: 'd', name: 'n', pageIndex: 0, status: 'ok', result: () => Promise.reject(new Error()) }

describe('the progress bar', () => {
  it('shows pages done of pages known on a terminal', async () => {
    const stream = new PassThrough()
    const bar = new ProgressBar(stream, true)
    bar.show({ type: 'opened', documentId: 'd', name: 'n', pages: 4 })
    await new Promise((resolve) => setTimeout(resolve, 110))
    bar.show(page)
    expect(String(stream.read())).toMatch(/1\/4 pages .*pages\/s/)
  })

  it('is silent where there is no terminal, but for the lines it is given', () => {
    const stream = new PassThrough()
    const bar = new ProgressBar(stream, false)
    bar.show(page)
    bar.print('done')
    bar.end()
    expect(String(stream.read())).toBe('done\n')
  })

  it('shows control characters of a name instead of obeying them', () => {
    const stream = new PassThrough()
    new ProgressBar(stream, false).print('\u001b[31mred\n\u202efdp.exe')
    expect(String(stream.read())).toBe('\\u{1b}[31mred\\u{a}\\u{202e}fdp.exe\n')
  })
})
