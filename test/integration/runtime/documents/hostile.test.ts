import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import { documentReader } from '../../../../src/runtime/documents/open-document-reader.ts'
import type { DocumentSource } from '../../../../src/schema/page.ts'

const folder = fileURLToPath(new URL('../../../../../shared/corpus/hostile/', import.meta.url))

/** Failure of the document, or what its pages give: words (0 and more) or a failure. Pages 1 to 3 of it. */
const expected: Readonly<Record<string, unknown>> = {
  '2206.01062_pg3.pdf': 'password-required',
  'AES256ExposedMeta.pdf': 'unsupported-encryption',
  'Pages-tree-refs.pdf': [3, 'page-corrupt'],
  'bomb_giant.pdf': [7],
  'boundingBox_invalid.pdf': [2, 2, 'page-too-large'],
  'bug1020226.pdf': 'document-corrupt',
  'bug1606566.pdf': 'document-not-supported',
  'cyclic-toc.pdf': [0],
  'empty.pdf': 'document-empty',
  'fake-jpg.pdf': 'picture-corrupt',
  'hugemono.pdf': [0],
  'issue-1113-evil-xobjects.pdf': [expect.any(Number)],
  'issue15590.pdf': ['page-corrupt'],
  'issue16316.pdf': [727],
  'libreoffice-writer-password.pdf': 'password-required',
  'no_contents.pdf': [0],
  'operator_list_cycle.pdf': [0],
  'pdf2image-memory-error-test-400p.pdf': [176, 0, 235],
  'poppler-395-0-fuzzed.pdf': 'document-no-pages',
  'poppler-85140-0.pdf': ['page-too-large'],
  'poppler-937-0-fuzzed.pdf': ['page-corrupt'],
  'safety-trigger.pdf': [39],
  'testPDF_no_extract_no_accessibility_owner_empty.pdf': [2],
}

const source = (name: string): DocumentSource => ({
  name: basename(name),
  path: join(folder, name),
  mediaType: '',
  bytes: statSync(join(folder, name)).size,
  sha256: '',
})

describe.skipIf(!existsSync(folder))('hostile documents (needs the shared corpus)', () => {
  const reader = documentReader(configSchema.parse({ workers: 2, limits: { pageTimeoutMs: 60_000 } }))
  afterAll(() => reader[Symbol.asyncDispose]())

  const outcome = async (name: string, password?: string): Promise<string | (number | string)[]> => {
    try {
      await using document = await reader.open(source(name), password === undefined ? {} : { password })
      const pages = Array.from({ length: Math.min(3, document.info.pageCount) }, (_, i) => document.textLayer(i))
      const results = await Promise.allSettled(pages)
      return results.map((result) => (result.status === 'fulfilled' ? result.value.words.length : result.reason.code))
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  it.each(readdirSync(existsSync(folder) ? folder : fileURLToPath(new URL('.', import.meta.url))))('%s ends as it should', async (name) => {
    expect(await outcome(name)).toEqual(expected[name])
  })

  it('opens with the right password and refuses a wrong one', async () => {
    expect(await outcome('2206.01062_pg3.pdf', '1234')).toEqual([expect.any(Number)])
    expect(await outcome('2206.01062_pg3.pdf', 'wrong')).toBe('password-wrong')
    expect(await outcome('libreoffice-writer-password.pdf', 'openpassword')).toEqual([expect.any(Number)])
  })

  it('reads all of them at once, in any order, in bounded memory', async () => {
    const names = Object.keys(expected)
    const shuffled = [...names, ...names.toReversed(), ...names]
    const outcomes = await Promise.all(shuffled.map((name) => outcome(name)))
    for (const [i, name] of shuffled.entries()) expect(outcomes[i], name).toEqual(expected[name])
    expect(process.memoryUsage.rss()).toBeLessThan(900e6)
  })

  it.each(['hugemono.pdf', 'bomb_giant.pdf', 'issue-1113-evil-xobjects.pdf', 'operator_list_cycle.pdf'])('renders %s within the pixel limit', async (name) => {
    await using document = await reader.open(source(name), {})
    const picture = await document.picture(0, { dpi: 'native', angle: 0, channels: 1 })
    expect(picture.width * picture.height).toBeLessThanOrEqual(40_100_000)
  })

  it('flags text that a reader of the page does not see', async () => {
    await using document = await reader.open(source('safety-trigger.pdf'), {})
    const { words } = await document.textLayer(0)
    expect(words.filter((word) => word.hidden === 'same-colour').length).toBeGreaterThan(20)
    expect(words.filter((word) => !word.hidden).length).toBeGreaterThan(5)
    await using cropped = await reader.open(source('issue16316.pdf'), {})
    const outside = (await cropped.textLayer(0)).words.filter((word) => word.hidden === 'off-page')
    expect(outside.length).toBeGreaterThan(700)
  })
})
