import { availableParallelism } from 'node:os'
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

/** Threads that nobody uses, engine and all. A warm thread reads a page in half the time of a new one. */
const idle = new Map<PdfThread, NodeJS.Timeout>()
const idleMs = 30_000

/** Starts the first thread before anybody asks for it, for a process that knows that it will read PDFs while it is still loading. */
export function preparePdfThread(): void {
  if (idle.size === 0) parkPdfThread(startPdfThread())
}

/** A thread that is idle, or a new one. */
export function takePdfThread(): PdfThread {
  const [first] = idle
  if (!first) return startPdfThread()
  const [taken, timer] = first
  clearTimeout(timer)
  idle.delete(taken)
  return taken
}

/**
 * Gives back a thread that has no jobs and no documents; nobody may listen to it any more. It serves the next pool of
 * this process, or ends after a while. At most one a processor is kept.
 */
export function parkPdfThread(parked: PdfThread): void {
  const { thread, engine } = parked
  const end = () => {
    clearTimeout(idle.get(parked))
    idle.delete(parked)
    void thread.terminate()
  }
  if (idle.size >= availableParallelism()) {
    end()
    return
  }
  idle.set(parked, setTimeout(end, idleMs).unref())
  thread.unref()
  // Whoever takes the thread hears of a module that cannot be loaded.
  engine.catch(() => undefined)
}
