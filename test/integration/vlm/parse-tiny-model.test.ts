import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { ConfigLayer } from '../../../src/config/load-config.ts'
import { packageRoot } from '../../../src/config/package-root.ts'
import { parse } from '../../../src/parse/parse.ts'
import { type Document, documentSchema } from '../../../src/schema/document.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { colouredPage } from '../../support/vlm/coloured-page.ts'
import { tinyLlama } from '../../support/vlm/tiny-llama-engine.ts'
import { startTinyLlamaServer } from '../../support/vlm/tiny-llama-server.ts'

const server = await startTinyLlamaServer()
const library = await tinyLlama()
const missing = 'missing' in server ? server.missing : undefined
/** The same model, as a library in a child process. */
const inProcess = (): ConfigLayer => {
  if ('missing' in library) throw new Error(library.missing)
  const { kind, library: folder, model, projector } = library.config()
  return { kind, library: folder, model, projector }
}
afterAll(async () => {
  if (!('missing' in server)) await server.close()
})

async function readColours(vlm: ConfigLayer): Promise<Document> {
  const path = join(await tempFolder(), 'page.png')
  await writeFile(path, colouredPage())
  return read(path, vlm)
}

async function read(path: string, vlm: ConfigLayer): Promise<Document> {
  const folder = await tempFolder()
  const out = join(folder, 'out')
  const urls = 'missing' in server ? [] : [server.url]
  for await (const event of parse(path, {
    out,
    config: { images: false, formats: ['json', 'md'], vlm: { ...vlm, engine: { urls, ...(vlm.engine as object) } } },
  })) {
    if (event.type === 'document') expect(event.failure).toBeUndefined()
  }
  return documentSchema.parse(JSON.parse(await readFile(join(out, basename(path), 'document.json'), 'utf8')))
}

const said = ({ blocks }: Document) =>
  blocks.map(({ kind, text, latex, table, source }) => [kind, table ? table.cells.map((cell) => cell.text) : (latex ?? text), source])

describe.skipIf(missing !== undefined)(`the real engine with a tiny model${missing === undefined ? '' : ` (needs ${missing})`}`, () => {
  it('reads a page in two steps as MinerU2.5: right crops, right order, right pairs', async () => {
    const document = await readColours({ family: 'mineru2.5', engine: { kind: 'llama-server' } })
    expect(said(document)).toEqual([
      ['heading', 'A red heading', 'vlm:tiny'],
      ['text', 'Green paragraph with 中文 and an emoji 🙂.', 'vlm:tiny'],
      ['text', 'Yellow column, second half of a sentence.', 'vlm:tiny'],
      ['table', ['Name', 'Value', '', 'alpha', '1.5', '2'], 'vlm:tiny'],
      ['formula', 'E = mc^{2} \\tag{1}', 'vlm:tiny'],
      ['aside', 'Blue paragraph with \\(E=mc^{2}\\) inside.', 'vlm:tiny'],
      ['figure', '', 'none'],
      ['page_number', '7', 'vlm:tiny'],
    ])
  })

  it('reads a page in one pass as Unlimited-OCR', async () => {
    const document = await read(join(packageRoot(), 'samples/scan.pdf'), { family: 'unlimited-ocr', engine: { kind: 'llama-server' } })
    expect(said(document)).toEqual([
      ['heading', 'A Title', 'vlm:tiny'],
      ['text', 'Two words.', 'vlm:tiny'],
      ['table', ['a', 'b'], 'vlm:tiny'],
      ['formula', 'a+b', 'vlm:tiny'],
    ])
  })

  it('reads the same in a child process as from a server', async () => {
    const path = join(packageRoot(), 'samples/scan.pdf')
    const named = (document: Document) => said(document).map(([kind, text, source]) => [kind, text, source === 'vlm:tiny-vlm' ? 'vlm:tiny' : source])
    const [inTwoSteps, inOnePass] = [{ family: 'mineru2.5' }, { family: 'unlimited-ocr' }]
    expect(named(await readColours({ ...inTwoSteps, engine: inProcess() }))).toEqual(
      said(await readColours({ ...inTwoSteps, engine: { kind: 'llama-server' } })),
    )
    expect(named(await read(path, { ...inOnePass, engine: inProcess() }))).toEqual(said(await read(path, { ...inOnePass, engine: { kind: 'llama-server' } })))
  })

  it('reads a page in two steps as TeleOCR', async () => {
    const document = await readColours({ family: 'teleocr', engine: { kind: 'openai' } })
    expect(said(document)).toEqual([
      ['heading', 'A red heading', 'vlm:tiny'],
      ['text', 'Green paragraph with 中文 and an emoji 🙂.', 'vlm:tiny'],
      ['table', ['Name', 'Value', '', 'alpha', '1.5', '2'], 'vlm:tiny'],
      ['formula', 'E = mc^{2} \\tag{1}', 'vlm:tiny'],
    ])
  })
})
