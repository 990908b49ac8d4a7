import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import { documentReader } from '../../../../src/runtime/documents/open-document-reader.ts'
import type { LayoutBlock } from '../../../../src/schema/page.ts'
import type { TextLayer } from '../../../../src/schema/text-layer.ts'
import { layoutPage } from '../../../../src/stages/layout/layout-page.ts'
import { unplacedWords } from '../../../../src/stages/layout/unplaced-words.ts'
import type { GatedPage } from '../../../../src/stages/stage-values.ts'

const corpus = fileURLToPath(new URL('../../../../../shared/corpus/', import.meta.url))
const checksFile = `${corpus}checks.jsonl`

interface Check {
  readonly type: string
  readonly text?: string
  readonly kind?: string
  readonly items?: readonly string[]
  readonly hard?: boolean
}
interface ReadBlock {
  readonly kind: string
  readonly text: string
}

/** The corpus compares without blanks, case, soft hyphens and the shapes of quotes and dashes. */
const tight = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\s+/g, '')
    .replace(/\u00ad/g, '')
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[‐‑‒–]/g, '-')
    .toLowerCase()

const blockKinds: Readonly<Record<string, string>> = { heading: 'heading', title: 'heading', list_item: 'list_item', caption: 'caption', footnote: 'footnote' }
const furniture = new Set(['page_header', 'page_footer', 'page_number'])

/** Pages of a document that are looked at: enough for its facts, few enough for a test. */
const maxPages = 20

describe.skipIf(!existsSync(checksFile))('layout of real documents (needs the shared corpus)', () => {
  const reader = documentReader(configSchema.parse({ workers: 1 }))
  afterAll(() => reader[Symbol.asyncDispose]())

  const files = existsSync(checksFile)
    ? readFileSync(checksFile, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { file: string; checks: Check[] })
        .filter(({ file }) => /^(?:parse|tables)\/.*\.pdf$/.test(file))
    : []

  it.each(files)('keeps all words and the facts of $file', async ({ file, checks }) => {
    const path = corpus + file
    const source = { name: file, path, mediaType: 'application/pdf', bytes: statSync(path).size, sha256: '' }
    await using document = await reader.open(source, {})
    const read: ReadBlock[] = []
    for (let pageIndex = 0; pageIndex < Math.min(maxPages, document.info.pageCount); pageIndex++) {
      const textLayer = await document.textLayer(pageIndex)
      const input: GatedPage = {
        page: { documentId: 'd', revision: 'r', pageIndex, pageCount: document.info.pageCount, ocr: 'auto', source },
        frame: { width: textLayer.width, height: textLayer.height, angle: 0 },
        textLayer,
        verdict: { kind: 'text-layer', reasons: [], regions: [], modelUsed: false, badStyles: [] },
      }
      const blocks = layoutPage(input)
      expect(unplacedWords(input, blocks)).toEqual({ lost: [], doubled: [] })
      read.push(...blocks.map((block) => ({ kind: block.kind, text: blockText(block, textLayer) })))
    }
    expect(checks.filter((check) => !holds(check, read)).map((check) => check.text ?? check.items?.join(' > '))).toEqual([])
  })
})

function blockText(block: LayoutBlock, layer: TextLayer): string {
  const lines = [...block.lines, ...(block.table?.cells.flatMap((cell) => cell.lines) ?? [])]
  const text = lines.map((line) => (line.words ?? []).map((w) => layer.words[w]?.text ?? '').join(' ')).join(' ')
  return tight(text.replace(/- (?=\p{Ll})/gu, ''))
}

function holds(check: Check, blocks: readonly ReadBlock[]): boolean {
  const kind = check.type === 'block' ? check.kind : blockKinds[check.type]
  if (kind !== undefined) return blocks.some((b) => b.kind === kind && b.text.includes(tight(check.text ?? '')))
  if (check.type !== 'order' || check.hard) return true
  const body = blocks
    .filter((b) => !furniture.has(b.kind))
    .map((b) => b.text)
    .join('')
  let from = 0
  for (const item of check.items ?? []) {
    const at = body.indexOf(tight(item), from)
    if (at < 0) return false
    from = at + 1
  }
  return true
}
