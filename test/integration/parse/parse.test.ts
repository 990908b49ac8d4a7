import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from '../../../src/parse/parse.ts'
import type { DocumentEvent, PageEvent, ParseEvent } from '../../../src/parse/parse-events.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { show, tinyPdf } from '../../support/tiny-pdf.ts'

const book = (pages: number, word = 'page') =>
  tinyPdf(Array.from({ length: pages }, (_, i) => ({ content: show(`This is ${word} number ${i + 1} of a small book.`, 72, 400) })))

async function collect(events: AsyncIterable<ParseEvent>): Promise<ParseEvent[]> {
  const all: ParseEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

const documentsOf = (events: ParseEvent[]): DocumentEvent[] => events.filter((event) => event.type === 'document')
const pagesOf = (events: ParseEvent[]): PageEvent[] => events.filter((event) => event.type === 'page')

async function folderOf(files: Record<string, Buffer>): Promise<string> {
  const folder = await tempFolder()
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  return folder
}

/** Page results that a run has left behind in the output folder. */
async function resultsKept(out: string): Promise<number> {
  const folder = join(out, '.pagestream', 'results')
  const journals = await readdir(folder)
  const texts = await Promise.all(journals.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.join('').match(/^\d+ \d+$/gm)?.length ?? 0
}

describe('parse', () => {
  it('yields every page once and then its document, with text and chunks', async () => {
    const path = join(await folderOf({ 'a.pdf': book(5) }), 'a.pdf')
    const seen: string[] = []
    for await (const event of parse(path)) {
      seen.push(event.type)
      if (event.type === 'page') {
        const result = await event.result()
        expect(result.blocks.map((block) => block.text).join(' ')).toContain(`number ${event.pageIndex + 1} `)
      }
      if (event.type === 'document') {
        expect(event).toMatchObject({ status: 'complete', pages: 5, failedPages: 0, alreadyDone: false })
        expect((await event.document()).pages).toHaveLength(5)
        expect(await event.markdown()).toContain('number 5 of a small book')
        expect((await event.chunks()).flatMap((chunk) => chunk.pages)).toContain(4)
      }
    }
    expect(seen).toEqual(['opened', 'page', 'page', 'page', 'page', 'page', 'document'])
  })

  it('removes its temporary folder when no output folder was given', async () => {
    const path = join(await folderOf({ 'a.pdf': book(1) }), 'a.pdf')
    const [document] = documentsOf(await collect(parse(path)))
    await expect(stat(document?.folder ?? '')).rejects.toThrow()
  })

  it('ends a bad document with its error and reads the rest', async () => {
    const folder = await folderOf({
      'bad.pdf': Buffer.from('<html>no document</html>'),
      'cut.pdf': book(3).subarray(0, 60),
      'empty.pdf': Buffer.alloc(0),
      'good.pdf': book(2),
    })
    const out = await tempFolder()
    const documents = documentsOf(await collect(parse([folder, join(folder, 'gone.pdf')], { out })))
    const byName = new Map(documents.map((document) => [document.name, document]))
    expect(byName.get('good.pdf')).toMatchObject({ status: 'complete', pages: 2 })
    expect(byName.get('bad.pdf')?.failure).toMatchObject({ class: 'input', code: 'document-not-supported' })
    expect(byName.get('cut.pdf')?.failure).toMatchObject({ class: 'input', code: 'document-corrupt' })
    expect(byName.get('empty.pdf')?.failure).toMatchObject({ class: 'input', code: 'document-empty' })
    expect(byName.get('gone.pdf')?.failure).toMatchObject({ class: 'input', code: 'document-not-found' })
    expect(JSON.parse(await readFile(join(out, 'bad.pdf', 'document.json'), 'utf8'))).toMatchObject({ status: 'failed', pages: [], blocks: [] })
  })

  it('passes over what is done and reads again what has changed', async () => {
    const folder = await folderOf({ 'a.pdf': book(2), 'b.pdf': book(3, 'leaf') })
    const out = await tempFolder()
    await collect(parse(folder, { out }))
    const second = await collect(parse(folder, { out }))
    expect(pagesOf(second)).toHaveLength(0)
    expect(documentsOf(second).map((document) => document.alreadyDone)).toEqual([true, true])
    await writeFile(join(folder, 'b.pdf'), book(4, 'sheet'))
    const third = await collect(parse(folder, { out }))
    expect(documentsOf(third).map(({ name, alreadyDone }) => [name, alreadyDone])).toEqual([
      ['a.pdf', true],
      ['b.pdf', false],
    ])
    const other = await collect(parse(folder, { out, config: { ocr: 'never' } }))
    expect(documentsOf(other).every((document) => !document.alreadyDone)).toBe(true)
  })

  it('tries a document again that failed, for the limit or the password may be another', async () => {
    const folder = await folderOf({ 'a.pdf': book(2) })
    const out = await tempFolder()
    const first = documentsOf(await collect(parse(folder, { out, config: { limits: { maxDocumentBytes: 10 } } })))
    expect(first).toMatchObject([{ status: 'failed', failure: { code: 'document-too-large' } }])
    expect(documentsOf(await collect(parse(folder, { out })))).toMatchObject([{ status: 'complete', alreadyDone: false }])
  })

  it('resumes a half-done document by page', async () => {
    const path = join(await folderOf({ 'a.pdf': book(120) }), 'a.pdf')
    const out = await tempFolder()
    const abort = new AbortController()
    const config = { limits: { bufferedPages: 4 }, window: { pages: 4 } }
    const first: ParseEvent[] = []
    for await (const event of parse(path, { out, signal: abort.signal, config })) {
      first.push(event)
      if (pagesOf(first).length >= 8) abort.abort()
    }
    expect(documentsOf(first)).toHaveLength(0)
    const pagesKept = await resultsKept(out)
    expect(pagesKept).toBeGreaterThanOrEqual(8)
    expect(pagesKept).toBeLessThan(120)

    let counters: { stages: { 'page-render': { pagesOk: number } } } | undefined
    const second = await collect(
      parse(path, {
        out,
        config,
        onStart: (started) => {
          counters = started
        },
      }),
    )
    expect(counters?.stages['page-render'].pagesOk).toBe(120 - pagesKept)
    expect(documentsOf(second)).toMatchObject([{ status: 'complete', pages: 120 }])
    const whole = await readFile(join(out, 'a.pdf', 'document.md'), 'utf8')
    for (let i = 1; i <= 120; i++) expect(whole).toContain(`number ${i} of`)
  })

  it('gives two files with the same bytes outputs of their own, read once', async () => {
    const folder = await folderOf({ 'one.pdf': book(2), 'two.pdf': book(2) })
    const out = await tempFolder()
    const events = await collect(parse(folder, { out }))
    expect(pagesOf(events)).toHaveLength(2)
    expect(documentsOf(events).map((document) => document.name)).toEqual(['one.pdf', 'two.pdf'])
    expect(await readFile(join(out, 'two.pdf', 'document.md'), 'utf8')).toContain('small book')
  })

  it('reads only the pages asked for, and says so when there are none of them', async () => {
    const path = join(await folderOf({ 'a.pdf': book(6) }), 'a.pdf')
    const some = await collect(parse(path, { pages: [1, 4] }))
    expect(
      pagesOf(some)
        .map((event) => event.pageIndex)
        .sort(),
    ).toEqual([1, 4])
    expect(documentsOf(some)).toMatchObject([{ status: 'complete', pages: 2 }])
    const none = await collect(parse(path, { pages: [40] }))
    expect(documentsOf(none)).toMatchObject([{ status: 'failed', failure: { code: 'document-no-pages' } }])
  })

  it('stops without leaving anything running when the loop is left', async () => {
    const path = join(await folderOf({ 'a.pdf': book(60) }), 'a.pdf')
    for await (const event of parse(path)) if (event.type === 'page') break
    const threads = process.getActiveResourcesInfo().filter((name) => name === 'MessagePort' || name === 'Worker')
    expect(threads).toEqual([])
  })

  it('refuses a configuration it does not understand', async () => {
    await expect(collect(parse('x.pdf', { config: { formats: ['docx'] } }))).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('formats'),
    })
  })

  it('refuses an output folder that another run holds, and disturbs neither run', async () => {
    const path = join(await folderOf({ 'a.pdf': book(40) }), 'a.pdf')
    const out = await tempFolder()
    const config = { limits: { bufferedPages: 4 } }
    const events: ParseEvent[] = []
    for await (const event of parse(path, { out, config })) {
      events.push(event)
      if (event.type === 'opened') await expect(collect(parse(path, { out }))).rejects.toMatchObject({ code: 'output-busy' })
    }
    expect(documentsOf(events)).toMatchObject([{ status: 'complete', pages: 40 }])
    expect(documentsOf(await collect(parse(path, { out })))).toMatchObject([{ alreadyDone: true }])
    expect(await readdir(join(out, '.pagestream'))).toEqual(['done', 'results'])
    expect(await resultsKept(out)).toBe(0)
  })
})
