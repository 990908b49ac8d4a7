import { parentPort } from 'node:worker_threads'
import type { FailureCode } from '../../../schema/failure.ts'
import { reasonOf, systemCode } from '../../../schema/reason.ts'
import { packWords } from '../../../text-layer/pack-words.ts'
import { type Engine, EngineMemoryError, startEngine } from './engine.ts'
import { PdfDocument } from './pdf-document.ts'
import { PdfFailure } from './pdf-failure.ts'
import type { FromWorker, PdfAnswer, PdfSource, PdfTask, ToWorker, WorkerSettings } from './pdf-protocol.ts'

/** Thread entry: does one job after the other on an engine of its own. Talks `pdf-protocol`. */
const port = parentPort
if (!port) throw new Error('starting the PDF worker: it is no entry of its own')

const open = new Map<number, PdfDocument>()
/** Engine memory until the settings are known: more than an engine takes to start. */
const startBytes = 64 * 1024 ** 2
let settings: WorkerSettings | undefined
let begin: (engine: Promise<Engine>) => void = () => undefined
/** Jobs may come before the engine's module is compiled: they wait. */
const starting = new Promise<Engine>((resolve) => {
  begin = resolve
})
let queue: Promise<void> = Promise.resolve()
let warmed: () => void = () => undefined
/** Settles when a page has been read: by then the code has run that every page needs. */
export const warm = new Promise<void>((resolve) => {
  warmed = resolve
})

port.on('message', (message: ToWorker) => {
  if (message.kind === 'engine') begin(startEngine(message.module, () => settings?.engineMemoryBytes ?? startBytes))
  else if (message.kind === 'settings') settings = message.settings
  else queue = queue.then(() => handle(message))
})

async function handle(message: Extract<ToWorker, { kind: 'job' | 'close' }>): Promise<void> {
  if (message.kind === 'close') {
    open.get(message.key)?.close()
    open.delete(message.key)
    return
  }
  const { id, source, task } = message
  let engine: Engine | undefined
  try {
    engine = await starting
    const value = work(engine, source, task)
    // The engine may have gone on without what it could not allocate: a page with holes is no success.
    if (engine.memoryRefused) throw new EngineMemoryError(0)
    answer({ kind: 'done', id, value, heapBytes: engine.heap.u8.length })
    if (task.kind === 'text-layer' && !task.sizeOnly) warmed()
  } catch (error) {
    const { code, text, fatal } = explain(error, task, engine)
    answer({ kind: 'failed', id, code, message: text, fatal })
    if (fatal) port?.close()
  }
}

function answer(message: FromWorker): void {
  port?.postMessage(message, message.kind === 'done' ? buffersOf(message.value) : [])
}

/** What changes hands instead of being copied. */
function buffersOf(value: PdfAnswer): ArrayBuffer[] {
  if ('data' in value) return [value.data.buffer as ArrayBuffer]
  return 'words' in value ? [value.words.numbers.buffer, value.words.edges.buffer] : []
}

function work(engine: Engine, source: PdfSource, task: PdfTask): PdfAnswer {
  const document = opened(engine, source)
  switch (task.kind) {
    case 'info':
      return document.info
    case 'text-layer': {
      const layer = document.textLayer(task.pageIndex, task.sizeOnly)
      return { ...layer, words: packWords(layer.words) }
    }
    case 'picture':
      return document.picture(task.pageIndex, task.options)
  }
}

/** The document, opened when needed; the one that was used longest ago is closed for it. */
function opened(engine: Engine, source: PdfSource): PdfDocument {
  if (!settings) throw new Error('reading a PDF: the worker was given no settings')
  const known = open.get(source.key)
  if (known) {
    open.delete(source.key)
    open.set(source.key, known)
    return known
  }
  if (open.size >= settings.openDocuments) {
    const [oldest] = open
    if (oldest) {
      oldest[1].close()
      open.delete(oldest[0])
    }
  }
  const document = new PdfDocument(engine, source.path, source.password, settings.limits)
  open.set(source.key, document)
  return document
}

/** A trap or an exhausted stack leaves the engine in an unknown state, a refused allocation may have. */
function explain(error: unknown, task: PdfTask, engine: Engine | undefined): { code: FailureCode; text: string; fatal: boolean } {
  if (error instanceof PdfFailure && !engine?.memoryRefused) return { code: error.code, text: error.message, fatal: false }
  const where = task.kind === 'info' ? 'opening the document' : `reading page ${task.pageIndex + 1}`
  if (error instanceof EngineMemoryError || engine?.memoryRefused) {
    return { code: 'page-memory', text: `${where}: the PDF engine needs more memory than limits.engineMemoryBytes`, fatal: true }
  }
  if (isTrap(error)) {
    const trap = `${error.name}: ${error.message}` // one of the fixed texts of the WebAssembly engine
    return { code: task.kind === 'info' ? 'document-corrupt' : 'page-crashed', text: `${where}: the PDF engine trapped (${trap})`, fatal: true }
  }
  if (missing.has(systemCode(error) ?? '')) return { code: 'document-not-found', text: `${where}: ${reasonOf(error)}`, fatal: false }
  return { code: 'internal', text: `${where}: ${reasonOf(error)}`, fatal: true }
}

const isTrap = (error: unknown): error is Error => error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError')
const missing: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EISDIR', 'EPERM'])
