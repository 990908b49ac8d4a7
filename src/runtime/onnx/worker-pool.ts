import { Worker } from 'node:worker_threads'
import { PagestreamError } from '../../schema/failure.ts'
import { JobQueue } from './job-queue.ts'
import type { JobMessage, ReplyMessage } from './worker-messages.ts'

export interface WorkerPoolOptions {
  /** The module that each worker runs; it calls `serveJobs`. */
  readonly entry: URL
  readonly workerData: unknown
  /** At most so many workers. */
  readonly workers: number
  /** What a start costs: a further worker starts only when more work than this is waiting. */
  readonly startCostMs: number
  /** More waiting jobs are refused: a bound against a caller without one. */
  readonly maxWaiting: number
}

export interface JobOptions {
  /** Lower goes first. */
  readonly priority: number
  /** Expected work, of one core. */
  readonly costMs: number
  readonly signal?: AbortSignal
}

interface Job<Request, Reply> {
  readonly id: number
  readonly request: Request
  readonly priority: number
  readonly costMs: number
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: unknown) => void
}

interface Member<Request, Reply> {
  readonly worker: Worker
  /** Absent while idle. */
  job?: Job<Request, Reply>
}

/**
 * Worker threads for native code that blocks its thread. Nothing starts before the first job.
 * A worker that dies fails the one job that it had with `model-failed`; the next job finds a new one.
 * Idle workers do not keep the process alive.
 */
export class WorkerPool<Request, Reply> implements AsyncDisposable {
  readonly #options: WorkerPoolOptions
  readonly #waiting = new JobQueue<Job<Request, Reply>>()
  readonly #members = new Set<Member<Request, Reply>>()
  readonly #watched = new Map<AbortSignal, { readonly jobs: Set<Job<Request, Reply>>; readonly listener: () => void }>()
  #nextId = 0
  #closed = false

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /** Workers that are running. */
  get size(): number {
    return this.#members.size
  }

  /**
   * Runs one job. An abort takes a waiting job out at once; one that runs is left to end, its reply is dropped.
   * Rejects with the worker's failure, `model-failed` when the worker dies, `cancelled` on abort or after the end.
   */
  run(request: Request, options: JobOptions): Promise<Reply> {
    if (this.#closed) return Promise.reject(new PagestreamError('cancelled', 'running a model: its workers are stopped'))
    if (options.signal?.aborted) return Promise.reject(aborted())
    if (this.#waiting.size >= this.#options.maxWaiting) {
      return Promise.reject(new PagestreamError('model-failed', `running a model: ${this.#waiting.size} jobs are waiting already`))
    }
    return new Promise<Reply>((resolve, reject) => {
      const { priority, costMs, signal } = options
      const job: Job<Request, Reply> = {
        id: this.#nextId++,
        request,
        priority,
        costMs,
        resolve: (reply) => {
          if (signal) this.#unwatch(signal, job)
          resolve(reply)
        },
        reject: (error) => {
          if (signal) this.#unwatch(signal, job)
          reject(error)
        },
      }
      if (signal) this.#watch(signal, job)
      this.#waiting.push(job)
      this.#dispatch()
    })
  }

  /** One job for each worker, all workers started: to load models before the first page needs them. */
  async runOnEach(request: Request, costMs: number): Promise<Reply[]> {
    while (!this.#closed && this.#members.size < this.#options.workers) this.#start()
    return Promise.all(Array.from({ length: this.#options.workers }, () => this.run(request, { priority: 0, costMs })))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    for (const job of this.#waiting.drain()) job.reject(new PagestreamError('cancelled', 'running a model: its workers are stopped'))
    await Promise.all([...this.#members].map((member) => stop(member)))
  }

  /** One listener for all jobs of a signal: a page has hundreds of lines. */
  #watch(signal: AbortSignal, job: Job<Request, Reply>): void {
    const watched = this.#watched.get(signal)
    if (watched) {
      watched.jobs.add(job)
      return
    }
    const jobs = new Set([job])
    const listener = () => {
      for (const each of [...jobs]) {
        this.#waiting.remove(each)
        each.reject(aborted())
      }
    }
    this.#watched.set(signal, { jobs, listener })
    signal.addEventListener('abort', listener, { once: true })
  }

  #unwatch(signal: AbortSignal, job: Job<Request, Reply>): void {
    const watched = this.#watched.get(signal)
    if (!watched?.jobs.delete(job) || watched.jobs.size > 0) return
    this.#watched.delete(signal)
    signal.removeEventListener('abort', watched.listener)
  }

  #dispatch(): void {
    while (this.#waiting.size > 0) {
      const idle = this.#idle() ?? this.#startIfWorthwhile()
      const job = idle && this.#waiting.shift()
      if (!idle || !job) return
      idle.job = job
      idle.worker.ref()
      idle.worker.postMessage({ id: job.id, request: job.request } satisfies JobMessage<Request>)
    }
  }

  #idle(): Member<Request, Reply> | undefined {
    for (const member of this.#members) if (!member.job) return member
    return undefined
  }

  #startIfWorthwhile(): Member<Request, Reply> | undefined {
    const { workers, startCostMs } = this.#options
    if (this.#closed || this.#members.size >= workers) return undefined
    if (this.#members.size > 0 && this.#waiting.costMs < startCostMs) return undefined
    return this.#start()
  }

  #start(): Member<Request, Reply> {
    const worker = new Worker(this.#options.entry, { workerData: this.#options.workerData, execArgv: [] })
    const member: Member<Request, Reply> = { worker }
    this.#members.add(member)
    worker.unref()
    worker.on('message', (message: ReplyMessage<Reply>) => this.#finish(member, message))
    worker.on('error', (error) => this.#bury(member, error))
    worker.on('exit', (code) => this.#bury(member, new Error(`the worker ended with code ${code}`)))
    return member
  }

  #finish(member: Member<Request, Reply>, message: ReplyMessage<Reply>): void {
    const { job } = member
    if (!job || job.id !== message.id) return
    delete member.job
    member.worker.unref()
    if ('error' in message) job.reject(new PagestreamError(message.error.code, message.error.message))
    else job.resolve(message.reply)
    this.#dispatch()
  }

  #bury(member: Member<Request, Reply>, cause: Error): void {
    if (!this.#members.delete(member)) return
    const { job } = member
    delete member.job
    job?.reject(this.#closed ? aborted() : new PagestreamError('model-failed', `running a model: its worker died (${cause.message})`, { cause }))
    this.#dispatch()
  }
}

/** A native run that is cut off takes the whole process with it: the job in hand is waited for, for a while. */
const longestJobMs = 15_000

async function stop<Request, Reply>(member: Member<Request, Reply>): Promise<void> {
  const end = Date.now() + longestJobMs
  while (member.job && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10))
  await member.worker.terminate()
}

const aborted = (): PagestreamError => new PagestreamError('cancelled', 'running a model: stopped before it was done')
