import { Worker } from 'node:worker_threads'
import { engineModule } from './engine-module.ts'
import type { WasmModule } from './web-assembly.ts'

/** A thread that runs `pdf-worker`. */
export interface PdfThread {
  readonly thread: Worker
  /** Settles when the engine's module has been handed over; rejects when it cannot be loaded. */
  readonly engine: Promise<void>
}

/** A worker's own heap holds one page at a time; a smaller nursery than the default saves tens of megabytes a thread. */
const heapLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 }

const workerScript = new URL('./pdf-worker.js', import.meta.url)

/** Starts a thread, and the engine in it as soon as the module is compiled; `settings` are still to be sent. Another script in tests. */
export function startPdfThread(script: URL = workerScript, module: () => Promise<WasmModule> = engineModule): PdfThread {
  const thread = new Worker(script, { resourceLimits: heapLimits })
  thread.unref()
  return { thread, engine: module().then((compiled) => thread.postMessage({ kind: 'engine', module: compiled })) }
}

let prepared: PdfThread | undefined

/** Starts the first thread before anybody asks for it, for a process that knows that it will read PDFs while it is still loading. */
export function preparePdfThread(): void {
  prepared ??= startPdfThread()
  prepared.engine.catch(() => undefined) // whoever takes the thread hears of it
}

/** The thread that was prepared, or a new one. */
export function takePdfThread(): PdfThread {
  const taken = prepared ?? startPdfThread()
  prepared = undefined
  return taken
}
