import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { PageResult } from '../../../../../src/schema/page.ts'
import { type MakePagePicture, ViewerWriter } from '../../../../../src/stages/assemble/viewer/viewer-writer.ts'
import { assembled } from '../../../../support/assembled.ts'
import { MemorySink } from '../../../../support/memory-sink.ts'
import { block, failedPage, page } from '../../../../support/page-results.ts'

const noPicture: MakePagePicture = async () => undefined

async function viewer(pages: readonly PageResult[], makePicture = noPicture): Promise<{ html: string; outputs: readonly string[] }> {
  const sink = new MemorySink()
  const { summary } = await assembled(pages, {}, { formats: ['json'], writers: [new ViewerWriter(sink, makePicture)] })
  return { html: sink.text('document.html'), outputs: summary.outputs }
}

const contentOf = (html: string, tag: string) => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? ''
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe('ViewerWriter', () => {
  it('allows its own script and style sheet by hash and nothing else', async () => {
    const { html } = await viewer([page(0, [block({ kind: 'text', text: 'Some words.' })])])
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`script-src ${hashOf(contentOf(html, 'script'))}`)
    expect(policy).toContain(`style-src ${hashOf(contentOf(html, 'style'))}`)
    expect(policy).not.toContain('unsafe')
    expect(html).not.toMatch(/ style="/)
  })

  it('puts every page in its place, those without blocks and failed ones too', async () => {
    const { html } = await viewer([page(0, []), page(1, [block({ kind: 'text', text: 'Words.' })]), failedPage(2), page(3, [])])
    expect([...html.matchAll(/<section class="page" id="p-(\d)"/g)].map((match) => match[1])).toEqual(['1', '2', '3', '4'])
    expect(html.match(/This page holds no text/g)).toHaveLength(2)
    expect(html).toContain('page-corrupt')
  })

  it('leaves out no heading level, whatever the document does', async () => {
    const levels = [4, 1, 6, 2].map((level, i) =>
      block({ kind: 'heading', level: level as 1, text: `Heading ${i}`, box: [0.1, 0.1 * i + 0.1, 0.9, 0.1 * i + 0.13] }),
    )
    const { html } = await viewer([page(0, levels)])
    const used = [...html.matchAll(/<h(\d)[ >]/g)].map((match) => Number(match[1]))
    for (const [i, level] of used.entries()) if (i > 0) expect(level).toBeLessThanOrEqual((used[i - 1] ?? 0) + 1)
  })

  it('asks for few pictures at once and only for pages that were read, and names the files', async () => {
    let running = 0
    let most = 0
    const asked: number[] = []
    const makePicture: MakePagePicture = async ({ index }) => {
      asked.push(index)
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 2))
      running--
      return { path: `pages/${index}.jpg`, width: 10, height: 20 }
    }
    const pages = Array.from({ length: 20 }, (_, i) => (i === 7 ? failedPage(i) : page(i, [block({ kind: 'text', text: `Page ${i}.` })])))
    const { html, outputs } = await viewer(pages, makePicture)
    expect(most).toBeLessThanOrEqual(4)
    expect(asked).toEqual(pages.map((p) => p.index).filter((index) => index !== 7))
    expect(outputs).toEqual(['document.json', 'document.html', ...asked.map((index) => `pages/${index}.jpg`)])
    expect(html.match(/<img src="pages\/\d+\.jpg"/g)).toHaveLength(19)
  })

  it('shows no picture from another place', async () => {
    const paths = ['https://example.org/a.png', '//example.org/a.png', '../a.png', '/etc/a.png', 'images/a b"c.png']
    const images = paths.map((path) => block({ kind: 'figure', image: { path, widthPx: 1, heightPx: 1, alt: '' } }))
    const { html } = await viewer([page(0, images)])
    expect([...html.matchAll(/<img class="cut" src="([^"]*)"/g)].map((match) => match[1])).toEqual(['images/a%20b%22c.png'])
  })

  it('tells of a document that could not be opened', async () => {
    const sink = new MemorySink()
    const failure = { class: 'input', code: 'document-corrupt', message: 'opening the document: it is <damaged>' } as const
    await assembled([], { failure }, { formats: ['json'], writers: [new ViewerWriter(sink, noPicture)] })
    expect(sink.text('document.html')).toContain('document-corrupt: opening the document: it is &lt;damaged&gt;')
  })

  it('fails, and leaves nothing, when a picture cannot be stored', async () => {
    const sink = new MemorySink()
    const full: MakePagePicture = async () => Promise.reject(new Error('disk full'))
    const writers = [new ViewerWriter(sink, full)]
    await expect(assembled([page(0, []), page(1, [])], {}, { formats: ['json'], writers })).rejects.toThrow('disk full')
    expect(sink.files.has('document.html')).toBe(false)
  })
})
