import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from '../../src/parse/parse.ts'
import { assemble } from '../../src/stages/assemble/assembler.ts'
import { ViewerWriter } from '../../src/stages/assemble/viewer/viewer-writer.ts'
import { FolderSink } from '../../src/store/folder-sink.ts'
import { chromiumPath, openChromium } from '../support/chromium.ts'
import { block, failedPage, page as pageResult, source, tableBlock } from '../support/page-results.ts'
import { tempFolder } from '../support/temp-folder.ts'

const path = chromiumPath()
const sample = fileURLToPath(new URL('../../samples/paper.pdf', import.meta.url))

/** What a page did that it must not do. */
interface Watched {
  readonly page: Page
  readonly errors: string[]
  readonly requests: string[]
}

async function view(browser: Browser, file: string, options: { dark?: boolean; hash?: string } = {}): Promise<Watched> {
  const context = await browser.newContext({ colorScheme: options.dark ? 'dark' : 'light', viewport: { width: 1400, height: 900 } })
  const page = await context.newPage()
  const errors: string[] = []
  const requests: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('dialog', (dialog) => {
    errors.push(`dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => {})
  })
  page.on('request', (request) => {
    if (!request.url().startsWith('file://')) requests.push(request.url())
  })
  await page.goto(pathToFileURL(file).href + (options.hash ?? ''))
  return { page, errors, requests }
}

/** The viewer of hand-made pages. */
async function viewerOf(pages: Parameters<typeof pageResult>[1][]): Promise<string> {
  const folder = await tempFolder()
  const sink = new FolderSink(folder)
  const results = [...pages.map((blocks, i) => pageResult(i, blocks)), failedPage(pages.length)]
  await assemble(
    { documentId: 'doc', revision: 'r', source, pageIndices: results.map((r) => r.index), page: async (i) => results[i] ?? failedPage(i) },
    { formats: ['json'], chunks: { maxTokens: 512, minTokens: 64 }, writers: [new ViewerWriter(sink, async () => undefined)] },
    sink,
  )
  return join(folder, 'document.html')
}

describe.skipIf(!path)('the viewer in Chromium (needs a Chromium: CHROMIUM_PATH or on the search path)', () => {
  let browser: Browser
  let out: string
  let file: string

  beforeAll(async () => {
    browser = await openChromium(path ?? '')
    out = await mkdtemp(join(tmpdir(), 'pagestream-viewer-'))
    for await (const event of parse(sample, { out, config: { formats: ['json', 'html'] } }))
      if (event.type === 'document') file = join(event.folder, 'document.html')
  })
  afterAll(async () => {
    await browser?.close()
    await rm(out, { recursive: true, force: true })
  })

  it('shows every page and every block without an error or a request to elsewhere', async () => {
    const { page, errors, requests } = await view(browser, file)
    const document = JSON.parse(await readFile(join(file, '..', 'document.json'), 'utf8'))
    expect(await page.locator('.page').count()).toBe(document.pages.length)
    expect(await page.locator('.block').count()).toBe(document.blocks.length)
    await page.locator('.page img').first().waitFor()
    expect(
      await page
        .locator('.page img')
        .first()
        .evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth),
    ).toBeGreaterThan(100)
    expect(errors).toEqual([])
    expect(requests).toEqual([])
    await page.context().close()
  })

  it('leads from a block to its box and from a box to its block', async () => {
    const { page } = await view(browser, file)
    await page.locator('.block.k-table').first().click()
    const chosen = page.locator('.block[aria-current=true]')
    expect(await chosen.getAttribute('data-kind')).toBe('table')
    await page.locator('.box.on').first().waitFor()
    const box = await page.locator('.box.on').first().boundingBox()
    expect(box && box.y > 0 && box.y < 900).toBe(true)
    const other = page.locator('.box:not(.on)').first()
    const label = (await other.getAttribute('aria-label')) ?? ''
    await other.dispatchEvent('click')
    const text = (await chosen.textContent()) ?? ''
    expect(text.startsWith(label.split(': ').slice(1).join(': ').slice(0, 20))).toBe(true)
    await page.context().close()
  })

  it('keeps boxes inside the picture of their page', async () => {
    const { page } = await view(browser, file)
    await page.locator('#page-0 .box').first().waitFor()
    const [image, first] = await Promise.all([page.locator('#page-0 img').boundingBox(), page.locator('#page-0 .box').first().boundingBox()])
    if (!image || !first) throw new Error('no box')
    expect(first.x).toBeGreaterThanOrEqual(image.x - 1)
    expect(first.x + first.width).toBeLessThanOrEqual(image.x + image.width + 1)
    await page.context().close()
  })

  it('is worked by keys: next, back, show, nothing, help', async () => {
    const { page } = await view(browser, file)
    await page.keyboard.press('j')
    const first = await page.locator('.block').first().getAttribute('id')
    expect(await page.locator('[aria-current=true]').getAttribute('id')).toBe(first)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('k')
    expect(await page.locator('[aria-current=true]').getAttribute('id')).toBe(first)
    expect(page.url()).toContain(`#${first}`)
    await page.keyboard.press('Escape')
    expect(await page.locator('[aria-current=true]').count()).toBe(0)
    await page.keyboard.press('?')
    expect(await page.locator('#help').evaluate((dialog) => (dialog as unknown as { open: boolean }).open)).toBe(true)
    await page.context().close()
  })

  it('opens at the block that its address names', async () => {
    const { page } = await view(browser, file)
    const id = await page.locator('.block').nth(20).getAttribute('id')
    await page.context().close()
    const { page: linked } = await view(browser, file, { hash: `#${id}` })
    expect(await linked.locator('[aria-current=true]').getAttribute('id')).toBe(id)
    await linked.context().close()
  })

  it('hides and shows kinds', async () => {
    const { page } = await view(browser, file)
    await page.getByRole('button', { name: 'heading', exact: true }).click()
    expect(await page.locator('.block.k-heading:visible').count()).toBe(0)
    await page.getByRole('button', { name: 'heading', exact: true }).click()
    expect(await page.locator('.block.k-heading').first().isVisible()).toBe(true)
    await page.context().close()
  })

  it.each([false, true])('has no accessibility violations (dark: %s)', async (dark) => {
    const { page } = await view(browser, file, { dark })
    const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`)).toEqual([])
    await page.context().close()
  })

  it('keeps hostile text inert', async () => {
    const attacks = [
      '</script><script>alert(1)</script>',
      '<img src=x onerror=alert(2)>',
      '"><svg onload=alert(3)>',
      '\u202egnp.exe\u202c',
      `${'long '.repeat(200_000)}`,
      '$' + '{alert(4)}',
      '<!--',
      ']]>',
      '\u0000\u0007',
    ]
    const blocks = attacks.map((text, i) => block({ kind: i % 2 ? 'text' : 'heading', text, box: [0.1, 0.1 + i * 0.05, 0.9, 0.14 + i * 0.05] }))
    const table = tableBlock([attacks.slice(0, 2), attacks.slice(2, 4)], 1, [0.1, 0.7, 0.9, 0.8])
    const { page, errors, requests } = await view(browser, await viewerOf([[...blocks, table]]))
    expect(errors).toEqual([])
    expect(requests).toEqual([])
    expect(await page.locator('script').count()).toBe(1)
    expect(await page.locator('main img, main svg').count()).toBe(0)
    expect(await page.locator('.block').first().textContent()).toContain('</script><script>alert(1)</script>')
    expect(await page.locator('#page-1').textContent()).toContain('page-corrupt')
    await page.context().close()
  })
})
