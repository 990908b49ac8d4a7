import { PagestreamError } from '../../../schema/failure.ts'
import type { PdfAnswers, PdfSource, PdfTask, WorkerSettings } from './pdf-protocol.ts'
import type { PdfThread } from './pdf-thread.ts'
import { PoolWorker } from './pool-worker.ts'

export interface PoolOptions {
  readonly workers: number
  readonly settings: WorkerSettings
  /** Longest time of one job; a worker that takes longer is ended. */
  readonly timeoutMs: number
  /** A worker is renewed after so many pages … */
  readonly recyclePages: number
  /** … or when its engine's memory, which never shrinks, has grown past this and it has done some pages. */
  readonly recycleBytes: number
  /** Where threads come from and go to when they are left idle; others in tests. */
  readonly threads: { take(): PdfThread; park(thread: PdfThread): void }
}

/** A job that waits or runs. */
export interface Job {
  readonly source: PdfSource
  readonly task: PdfTask
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Jobs that a worker holds: one runs, the next is there when it ends. */
const depth = 2
/** A further worker opens a document when at least so many of its jobs wait: opening costs about as much as some pages. */
const waitingToSpread = 3

/**
 * Spreads jobs on PDFs over worker threads. Workers start when they are needed. A document keeps to the workers that
 * have it open and spreads to others when its jobs pile up. A job that kills its worker fails alone: jobs that wait
 * behind it go to another worker.
 */
export class PdfWorkerPool {
  private readonly options: PoolOptions
  private readonly workers = new Set<PoolWorker>()
  private readonly waiting: Job[] = []
  private closed = false

  constructor(options: PoolOptions) {
    this.options = options
  }

  run<K extends PdfTask['kind']>(source: PdfSource, task: Extract<PdfTask, { kind: K }>): Promise<PdfAnswers[K]> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new PagestreamError('cancelled', 'reading a PDF: the reader is closed'))
      this.waiting.push({ source, task, resolve: (value) => resolve(value as PdfAnswers[K]), reject })
      this.dispatch()
    })
  }

  /** The document is not asked for again. */
  forget(key: number): void {
    for (const worker of this.workers) worker.forget(key)
  }

  /** Gives up all workers; jobs that wait or run fail as `cancelled`. */
  async close(): Promise<void> {
    this.closed = true
    const error = new PagestreamError('cancelled', 'reading a PDF: the reader was closed')
    for (const job of this.waiting.splice(0)) job.reject(error)
    await Promise.all([...this.workers].map((worker) => worker.end(error)))
    this.workers.clear()
  }

  private dispatch(): void {
    for (let i = 0; i < this.waiting.length; ) {
      const job = this.waiting[i]
      const worker = job && this.workerFor(job)
      if (!job || !worker) {
        i++
        if (this.isFull()) return
        continue
      }
      this.waiting.splice(i, 1)
      worker.give(job)
    }
  }

  private isFull(): boolean {
    if (this.workers.size < this.options.workers) return false
    for (const worker of this.workers) if (worker.load < depth && !worker.retiring) return false
    return true
  }

  private workerFor(job: Job): PoolWorker | undefined {
    const usable = [...this.workers].filter((worker) => !worker.retiring)
    const holders = usable.filter((worker) => worker.holds(job.source.key))
    const least = (workers: PoolWorker[]) => workers.filter((w) => w.load < depth).sort((a, b) => a.load - b.load)[0]
    const holder = least(holders)
    if (holder && holder.load === 0) return holder
    if (holders.length === 0 || this.waitingFor(job.source.key) >= waitingToSpread) {
      const idle = usable.find((worker) => worker.load === 0)
      if (idle) return idle
      if (this.workers.size < this.options.workers) return this.start()
    }
    return holder ?? (holders.length === 0 ? least(usable) : undefined)
  }

  private waitingFor(key: number): number {
    let count = 0
    for (const job of this.waiting) if (job.source.key === key && ++count >= waitingToSpread) break
    return count
  }

  private start(): PoolWorker {
    const worker = new PoolWorker(this.options, {
      free: () => this.dispatch(),
      gone: (left) => {
        this.workers.delete(worker)
        this.waiting.unshift(...left)
        this.dispatch()
      },
    })
    this.workers.add(worker)
    return worker
  }
}
