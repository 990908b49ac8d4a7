import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ConfigLayer } from '../../../src/config/load-config.ts'
import { parse } from '../../../src/parse/parse.ts'
import type { DocumentEvent } from '../../../src/parse/parse-events.ts'
import { type Document, documentSchema } from '../../../src/schema/document.ts'
import { tempFolder } from '../temp-folder.ts'
import { colouredPage } from './coloured-page.ts'
import { asksForPage } from './page-grammars.ts'
import type { StubAnswer, StubKind, StubOptions, StubRequest } from './stub-options.ts'
import { StubServer } from './stub-server.ts'

export type Family = 'mineru2.5' | 'teleocr' | 'unlimited-ocr'

/** The kind of server that each family's grammar and prompts are tried on. */
const kinds: Readonly<Record<Family, StubKind>> = { 'mineru2.5': 'vllm', teleocr: 'openai', 'unlimited-ocr': 'vllm' }

/** A page of the family with one block, for the known picture that every reader is tried with. */
const soundPages: Readonly<Record<Family, string>> = {
  'mineru2.5': '<|box_start|>100 050 900 120<|box_end|><|ref_start|>title<|ref_end|><|rotate_up|>',
  teleocr: '<box:100 050 900 120><label:title><up>\n',
  'unlimited-ocr': '<|det|>title [100, 50, 900, 120]<|/det|>A title\n',
}

/** What a hostile model says. The known picture is answered well, whenever it is asked about; it is question 0. */
export interface Hostile {
  readonly family?: Family
  readonly page?: StubAnswer | ((request: StubRequest) => StubAnswer)
  readonly block?: StubAnswer | ((request: StubRequest) => StubAnswer)
  /** Of questions but those about the known picture. */
  readonly fault?: StubOptions['fault']
  readonly stub?: Partial<StubOptions>
  readonly vlm?: ConfigLayer
  readonly config?: ConfigLayer
  /** Bytes of the document, with the ending of its name. A page with coloured blocks else. */
  readonly file?: readonly [name: string, bytes: Uint8Array]
}

export interface Parsed {
  readonly event: DocumentEvent
  readonly document: Document
  readonly folder: string
  readonly ms: number
  readonly stub: StubServer
  read(name: string): Promise<string>
}

const said = (answer: StubAnswer | ((request: StubRequest) => StubAnswer) | undefined, request: StubRequest): StubAnswer =>
  typeof answer === 'function' ? answer(request) : (answer ?? '')

/** A server that answers the known picture well and all else as it is told. */
export async function hostileStub({ family = 'mineru2.5', page, block, fault, stub }: Hostile): Promise<StubServer> {
  let known: string | undefined
  const isKnown = ({ index, prompt, body }: StubRequest) => {
    if (!asksForPage(family, prompt)) return false
    const asked = JSON.stringify(body.messages)
    if (index === 0) known = asked
    return asked === known
  }
  return StubServer.start({
    ...{ kind: kinds[family], model: 'stub-model', slots: 8, chunkTokens: 64 },
    ...{ prefillTokensPerSecond: 1e9, decodeTokensPerSecond: 4e5, totalDecodeTokensPerSecond: 1e6 },
    script: (request) =>
      isKnown(request) ? soundPages[family] : asksForPage(family, request.prompt) ? said(page ?? soundPages[family], request) : said(block, request),
    fault: (request) => (isKnown(request) ? undefined : fault?.(request)),
    ...stub,
  })
}

/** Parses a page that a hostile model reads, into all formats. */
export async function parseHostile(hostile: Hostile): Promise<Parsed> {
  const { family = 'mineru2.5', vlm, config, file = ['page.png', colouredPage()] } = hostile
  await using stub = await hostileStub(hostile)
  const folder = await tempFolder()
  const path = join(folder, file[0])
  await writeFile(path, file[1])
  const out = join(folder, 'out')
  const startedAt = performance.now()
  let done: DocumentEvent | undefined
  const engine = { kind: kinds[family], urls: [stub.url], ...(vlm?.engine as object) }
  for await (const event of parse(path, {
    out,
    config: { formats: ['json', 'md', 'html', 'chunks', 'blocks', 'mineru'], ...config, vlm: { family, ...vlm, engine } },
  })) {
    if (event.type === 'document') done = event
  }
  if (done === undefined) throw new Error('no document came')
  const read = (name: string) => readFile(join(out, basename(path), name), 'utf8')
  const document = documentSchema.parse(JSON.parse(await read('document.json')))
  return { event: done, document, folder: join(out, basename(path)), ms: performance.now() - startedAt, stub, read }
}
