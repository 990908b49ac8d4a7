import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, vi } from 'vitest'
import { KafkaBus } from '../../../src/consumers/kafka/kafka-bus.ts'
import { Submitter } from '../../../src/inputs/submitter.ts'
import { tryPort } from '../../../src/runtime/processes/free-port.ts'
import type { VlmFamily } from '../../../src/runtime/vlm/page-reader.ts'
import { type Document, documentSchema } from '../../../src/schema/document.ts'
import type { DocumentAssembled } from '../../../src/schema/events.ts'
import { outputPrefix } from '../../../src/worker/output-prefix.ts'
import { colourScript } from '../vlm/golden-scripts.ts'
import { scannedDocument, shortPage } from '../vlm/scanned-document.ts'
import { quickStub, type StubOptions } from '../vlm/stub-options.ts'
import { StubServer } from '../vlm/stub-server.ts'
import { commandLine } from './command-line.ts'
import { testChain } from './test-chain.ts'

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]()
})

/** Pages that the stub knows by their colours. */
const knownPages = 64
export const shortPages = (edition?: string) => Array.from({ length: knownPages }, (_, page) => shortPage(page, edition))

/** An engine's stand-in that reads the pages of `shortPage`, until the end of the test. */
export async function startStub(family: VlmFamily, more: Partial<StubOptions> = {}, port = 0): Promise<StubServer> {
  const stub = await StubServer.start({ ...quickStub, script: colourScript(family, shortPages()), ...more }, { port })
  open.push(stub)
  return stub
}

export interface ModelChainOptions {
  readonly vlm?: Record<string, unknown>
  readonly more?: Record<string, unknown>
}

/** A chain of a test's own whose pages a model reads at `url`; workers are processes, as an operator has them. */
export async function modelChain(family: VlmFamily, url: string, { vlm = {}, more = {} }: ModelChainOptions = {}) {
  const chain = await testChain({ ocr: 'auto', images: false, vlm: { family, engine: { kind: 'vllm', urls: [url] }, ...vlm }, ...more })
  const { folder, store, bus, submitter, of } = chain
  let { config } = chain
  const file = join(folder, 'config.json')
  await writeFile(file, JSON.stringify(config))
  const cli = commandLine(file)
  const worker = async ({ lane = 'live', devices, path }: { readonly lane?: string; readonly devices?: string; readonly path?: string } = {}) => {
    const port = await tryPort('127.0.0.1', 0)
    const start = path === undefined ? cli : commandLine(file, { PATH: path })
    const args = ['worker', '--stage', 'all', '--lane', lane]
    const started = start(...args, ...(devices === undefined ? ['--port', `${port}`] : ['--devices', devices]))
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    const ready = () => vi.waitFor(() => says(started.said.errors, 'ready:'), { timeout: 60_000, interval: 50 })
    /** Of a supervisor: the first of its workers is killed. */
    const killOne = async () => {
      const children = await readFile(`/proc/${started.child.pid}/task/${started.child.pid}/children`, 'utf8')
      process.kill(Number(children.trim().split(' ')[0]), 'SIGKILL')
    }
    return { ...started, get, ready, killOne }
  }
  const configure = async (changed: Record<string, unknown>) => {
    config = { ...config, ...changed }
    await writeFile(file, JSON.stringify(config))
  }
  /** Sends a document of so many pages of the script. */
  const save = (into: string, first: number, pages: number) => writeFile(join(into, `scan-${first}.pdf`), scannedDocument(shortPage, first, pages))
  const read = (path: string) => readFile(path, 'utf8')
  const submitBulk = async (first: number, pages: number) => {
    await save(folder, first, pages)
    const submitted = await submitter.identify(join(folder, `scan-${first}.pdf`), `scan-${first}.pdf`)
    const bulk = await KafkaBus.connect(config.kafka, 'bulk')
    await new Submitter(config, store, bulk).send(submitted)
    await bulk.close()
    return submitted
  }
  const submit = async (first: number, pages: number, cause: { readonly run?: string; readonly traceparent?: string } = {}) => {
    const name = `scan-${first}.pdf`
    await save(folder, first, pages)
    const submitted = await submitter.identify(join(folder, name), name)
    const payload = { ...submitted, ocr: config.ocr }
    await bus.publish([{ topic: 'documents', key: submitted.documentId, payload, ...cause }])
    return submitted
  }
  const written = async ({ documentId, revision }: { documentId: string; revision: string }): Promise<Document> =>
    documentSchema.parse(JSON.parse(Buffer.from(await store.get(`${outputPrefix(documentId, revision)}/document.json`)).toString()))
  const ended = (): Map<string, DocumentAssembled> =>
    new Map(of('documents.assembled').map(({ payload }) => [(payload as DocumentAssembled).documentId, payload as DocumentAssembled]))
  return { ...chain, cli, worker, configure, save, read, submit, submitBulk, written, ended }
}

function says(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`it does not say ${part}: ${text}`)
}
