import { PagestreamError } from '../../../schema/failure.ts'
import type { FromWorker, PdfTask, ToWorker } from './pdf-protocol.ts'
import type { PdfThread } from './pdf-thread.ts'
import type { Job, PoolOptions } from './worker-pool.ts'

export interface WorkerEvents {
  /** It can take another job. */
  free(): void
  /** It has ended; these jobs were not begun. */
  gone(left: Job[]): void
}

/** Pages a worker has done before its memory is a reason to renew it: a document that needs much would renew it each page. */
const pagesBeforeMemoryCounts = 40

/**
 * One worker thread and its jobs.
 *
 * | state    | takes jobs | ends when |
 * |----------|-----------|-----------|
 * | working  | yes       | a job is fatal, runs out of time, or the thread dies: then `gone` |
 * | retiring | no        | its jobs are done: then `gone` |
 * | ended    | no        | – |
 */
export class PoolWorker {
  retiring = false
  private ended = false
  private readonly options: PoolOptions
  private readonly events: WorkerEvents
  private readonly own: PdfThread
  private readonly jobs = new Map<number, Job>()
  private readonly documents = new Set<number>()
  private timer: NodeJS.Timeout | undefined
  private nextId = 0
  private pages = 0
  private heapBytes = 0
  private error: Error | undefined

  constructor(options: PoolOptions, events: WorkerEvents) {
    this.options = options
    this.events = events
    this.own = options.threads.take()
    const { thread, engine } = this.own
    this.send({ kind: 'settings', settings: options.settings })
    thread.on('message', this.receive)
    thread.on('error', this.remember)
    thread.on('exit', this.crash)
    engine.catch((cause: unknown) => this.die(() => new PagestreamError('internal', 'starting the PDF engine: its module cannot be loaded', { cause })))
  }

  get load(): number {
    return this.jobs.size
  }

  holds(key: number): boolean {
    return this.documents.has(key)
  }

  give(job: Job): void {
    const id = this.nextId++
    this.jobs.set(id, job)
    this.documents.add(job.source.key)
    this.own.thread.ref()
    this.send({ kind: 'job', id, source: job.source, task: job.task })
    if (this.jobs.size === 1) this.watch()
  }

  forget(key: number): void {
    if (this.documents.delete(key)) this.send({ kind: 'close', key })
  }

  /** Gives an idle thread back; any other is ended and what it holds fails. */
  async end(error: Error): Promise<void> {
    const reusable = !this.ended && this.jobs.size === 0 && this.heapBytes <= this.options.recycleBytes
    for (const key of this.documents) this.forget(key)
    this.ended = true
    clearTimeout(this.timer)
    for (const job of this.jobs.values()) job.reject(error)
    this.jobs.clear()
    this.own.thread.off('message', this.receive).off('error', this.remember).off('exit', this.crash)
    if (reusable) this.options.threads.park(this.own)
    else await this.own.thread.terminate()
  }

  private send(message: ToWorker): void {
    if (!this.ended) this.own.thread.postMessage(message)
  }

  /** The clock of the job that runs: the first one. The thread works them off in order. */
  private watch(): void {
    clearTimeout(this.timer)
    if (this.jobs.size === 0) return
    const { timeoutMs } = this.options
    this.timer = setTimeout(
      () => this.die((task) => new PagestreamError('page-timeout', `${doing(task)}: it took longer than ${timeoutMs} ms and was ended`)),
      timeoutMs,
    )
  }

  private readonly remember = (error: Error): void => {
    this.error = error
  }

  /** Only when the thread has ended are all its answers in: its error may overtake them. */
  private readonly crash = (): void => this.die((task) => crash(task, this.error))

  private readonly receive = (message: FromWorker): void => {
    const job = this.jobs.get(message.id)
    if (!job || this.ended) return
    if (message.kind === 'failed') {
      const error = new PagestreamError(message.code, message.message)
      if (message.fatal) {
        this.die(() => error)
        return
      }
      this.jobs.delete(message.id)
      job.reject(error)
    } else {
      this.jobs.delete(message.id)
      job.resolve(message.value)
      this.heapBytes = message.heapBytes
      if (++this.pages >= this.options.recyclePages || (message.heapBytes > this.options.recycleBytes && this.pages >= pagesBeforeMemoryCounts))
        this.retiring = true
    }
    this.watch()
    if (this.jobs.size === 0) {
      if (this.retiring) {
        this.leave([])
        return
      }
      this.own.thread.unref()
    }
    this.events.free()
  }

  /** The job that runs fails, the others are given back. */
  private die(failure: (task: PdfTask) => Error): void {
    if (this.ended) return
    const [running, ...left] = [...this.jobs.values()]
    running?.reject(failure(running.task))
    this.leave(left)
  }

  private leave(left: Job[]): void {
    this.ended = true
    clearTimeout(this.timer)
    this.jobs.clear()
    void this.own.thread.terminate()
    this.events.gone(left)
  }
}

const doing = (task: PdfTask): string => (task.kind === 'info' ? 'opening the document' : `reading page ${task.pageIndex + 1}`)

const crash = (task: PdfTask, cause: Error | undefined): Error =>
  new PagestreamError('page-crashed', `${doing(task)}: the PDF worker ended`, cause ? { cause } : undefined)
