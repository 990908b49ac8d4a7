import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Document, documentSchema } from '../../src/schema/document.ts'

const demo = fileURLToPath(new URL('../../dist/demo/main.js', import.meta.url))

describe('the demo', () => {
  let cwd: string
  let stdout: string
  let seconds: number

  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'pagestream-demo-'))
    const started = performance.now()
    stdout = (await promisify(execFile)(process.execPath, [demo], { cwd, timeout: 240_000 })).stdout
    seconds = (performance.now() - started) / 1000
  })
  afterAll(async () => {
    if (cwd) await rm(cwd, { recursive: true, force: true })
  })

  const viewers = (): string[] => [...stdout.matchAll(/^ +(demo-out\S+document\.html)$/gm)].map((match) => match[1] ?? '')
  const folderOf = (name: string): string => join(cwd, dirname(viewers().find((viewer) => viewer.includes(name)) ?? ''))
  const documentOf = async (name: string): Promise<Document> => documentSchema.parse(JSON.parse(await readFile(join(folderOf(name), 'document.json'), 'utf8')))
  const textOf = async (name: string): Promise<string> => (await documentOf(name)).blocks.map((block) => block.text).join('\n')

  it('is done in less than the two minutes that it promises', () => {
    expect(seconds).toBeLessThan(120)
  })

  it('prints a line a stage, each with all pages', () => {
    for (const stage of ['page-render', 'text-finder', 'layout', 'region-recognition', 'assemble'])
      expect(stdout).toMatch(new RegExp(`^${stage} +8 pages +[0-9.]+ pages/s`, 'm'))
  })

  it('says how the gate decided: a blank page, a sound text layer, pages that had to be read', () => {
    const gate = /gate: (\d+) % decided without a model \(1 blank, 4 text-layer, 3 needs-reading\)/.exec(stdout)
    expect(gate).not.toBeNull()
    expect(Number(gate?.[1])).toBeGreaterThanOrEqual(50)
  })

  it('names every sample with what it holds, and a viewer that is there', async () => {
    expect([...stdout.matchAll(/^complete +(\S+)/gm)].map((match) => match[1])).toEqual([
      'blank.pdf',
      'garbage-text-layer.pdf',
      'paper.pdf',
      'photo.jpg',
      'scan.pdf',
    ])
    expect(viewers()).toHaveLength(5)
    for (const viewer of viewers()) expect((await stat(join(cwd, viewer))).size).toBeGreaterThan(10_000)
    const { blocks } = await documentOf('paper')
    expect(stdout).toContain(`4 pages, ${blocks.length} blocks`)
    expect(stdout).toContain('1 page, nothing to read')
  })

  it('leaves every output that it names, and a picture of every page', async () => {
    for (const file of ['document.json', 'document.md', 'blocks.jsonl', 'chunks.jsonl'])
      expect((await stat(join(folderOf('scan'), file))).size).toBeGreaterThan(100)
    const html = await readFile(join(folderOf('paper'), 'document.html'), 'utf8')
    const pictures = [...html.matchAll(/<img src="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(pictures).toHaveLength(4)
    for (const picture of pictures) expect((await stat(join(folderOf('paper'), picture))).size).toBeGreaterThan(1000)
  })

  it('reads what is printed, whatever the file says: a scan, a photo, a page with a broken text layer', async () => {
    expect(await textOf('scan')).toContain('Paint the float above the waterline before the end of May.')
    expect(await textOf('photo')).toContain('Hot soup will be served in the boat shed')
    expect(await textOf('garbage')).toContain('The tank was full on every day of September.')
  })

  it('keeps the paper whole: a table over two pages as one, a paragraph over pages, both title lines', async () => {
    const { title, blocks } = await documentOf('paper')
    expect(title).toBe('Quiet Tide Pumps: One Year of Lifting Fresh Water in a Harbour Without a Grid')
    const readings = blocks.find(({ table }) => table?.cells.some(({ text }) => text === 'Lost days'))
    expect(readings?.table).toMatchObject({ rows: 25, columns: 6, headerRows: 1 })
    expect(blocks.find(({ text }) => text.includes('The largest single item was the diver who cleared the tree trunk.'))?.parts).toHaveLength(2)
  })
})
