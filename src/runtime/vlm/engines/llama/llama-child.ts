import { type ChildProcess, fork } from 'node:child_process'
import { surroundingEnvironment } from '../../../../config/places.ts'
import { PagestreamError } from '../../../../schema/failure.ts'
import type { FromChild, LlamaFacts, LlamaSettings, ToChild } from './llama-protocol.ts'
import { LogTail } from './log-tail.ts'

export interface ChildEvents {
  /** About a question; none comes after `gone`. */
  message(message: FromChild): void
  /** It was ready and has ended, by itself. */
  gone(error: PagestreamError): void
  /** It is started again. */
  restarts?(): void
}

const script = new URL('./llama-child-worker.js', import.meta.url)
const endMs = 3_000

/**
 * One process with the library.
 *
 * | state   | ends when |
 * |---------|-----------|
 * | loading | it is refused, ends or takes too long: `ready` rejects |
 * | ready   | it ends: `gone`, unless it was ended |
 * | ended   | – |
 */
export class LlamaChild {
  /** Rejects with `engine-missing`, `engine-refused`, `engine-failed`, `cancelled`; the process is then gone. */
  readonly ready: Promise<LlamaFacts>
  readonly #process: ChildProcess
  readonly #log = new LogTail()
  readonly #events: ChildEvents
  /** Settles when it has ended and all is in that it said, or when it could not be started. */
  readonly #closed: Promise<void>
  readonly #startMs: number
  #isLate = false
  #refusal: Extract<FromChild, { kind: 'refused' }> | undefined
  #ended = false

  /** `startMs`: how long it may take to load. */
  constructor(settings: LlamaSettings, startMs: number, events: ChildEvents) {
    this.#events = events
    this.#startMs = startMs
    this.#process = fork(script, { env: surroundingEnvironment(), execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    this.#closed = new Promise((resolve) => {
      this.#process.on('close', () => resolve())
      this.#process.on('error', () => this.#process.pid === undefined && resolve())
    })
    this.#process.stderr?.setEncoding('utf8').on('data', (piece: string) => this.#log.push(piece))
    this.ready = this.#load(settings)
    this.ready.catch(() => undefined)
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  send(message: ToChild): void {
    // A process that is going takes nothing more; its end is told by itself.
    if (this.#process.connected) this.#process.send(message, () => undefined)
  }

  /** Ends it: asked first, then by force. */
  async end(): Promise<void> {
    this.#ended = true
    if (this.#process.exitCode === null && this.#process.signalCode === null) this.#process.kill('SIGTERM')
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), endMs)
    await this.#closed
    clearTimeout(timer)
  }

  /** By force: it does not answer any more. `gone` follows. */
  kill(): void {
    this.#process.kill('SIGKILL')
  }

  async #load(settings: LlamaSettings): Promise<LlamaFacts> {
    const facts = new Promise<LlamaFacts | undefined>((resolve) => {
      this.#process.on('message', (message: FromChild) => {
        if (message.kind === 'ready') resolve(message.facts)
        else if (message.kind !== 'refused') this.#events.message(message)
        else {
          this.#refusal = message
          this.#process.kill('SIGTERM')
        }
      })
      void this.#closed.then(() => resolve(undefined))
    })
    this.send({ kind: 'load', settings })
    const timer = setTimeout(() => {
      this.#isLate = true
      this.kill()
    }, this.#startMs)
    const loaded = await facts
    clearTimeout(timer)
    if (!loaded) throw this.#failure('loading llama.cpp')
    void this.#closed.then(() => {
      if (!this.#ended) this.#events.gone(this.#failure('asking the model'))
    })
    return loaded
  }

  #failure(action: string): PagestreamError {
    if (this.#ended) return new PagestreamError('cancelled', `${action}: it was stopped`)
    if (this.#isLate) return new PagestreamError('engine-failed', `${action}: it took longer than ${this.#startMs} ms (vlm.engine.startMs)`)
    const said = this.#log.text
    const tail = said === '' ? '' : `; the library said last:\n${said}`
    const refusal = this.#refusal
    if (refusal) return new PagestreamError(refusal.code, refusal.code === 'engine-missing' ? refusal.message : `${refusal.message}${tail}`)
    const { signalCode, exitCode } = this.#process
    return new PagestreamError('engine-failed', `${action}: the process ended with ${signalCode ?? `code ${exitCode}`}${tail}`)
  }
}
