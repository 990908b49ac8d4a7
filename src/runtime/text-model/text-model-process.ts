import { type ChildProcess, fork } from 'node:child_process'
import { surroundingEnvironment } from '../../config/places.ts'
import { PagestreamError } from '../../schema/failure.ts'
import { LogTail } from '../vlm/engines/llama/log-tail.ts'
import type { FromTextModel, ToTextModel } from './text-model-protocol.ts'

const script = new URL('./text-model-worker.js', import.meta.url)

/** One process with the library. It answers one message at a time and is ended by force alone. */
export class TextModelProcess {
  readonly #process: ChildProcess
  readonly #log = new LogTail()
  readonly #closed: Promise<void>
  #isClosed = false
  #settle: ((word: FromTextModel | Error) => void) | undefined

  constructor() {
    this.#process = fork(script, { env: surroundingEnvironment(), execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    this.#closed = new Promise((resolve) => {
      this.#process.on('close', () => resolve())
      this.#process.on('error', () => this.#process.pid === undefined && resolve())
    })
    void this.#closed.then(() => {
      this.#isClosed = true
      this.#settle?.(this.#endedError())
    })
    this.#process.stderr?.setEncoding('utf8').on('data', (piece: string) => this.#log.push(piece))
    this.#process.on('message', (word: FromTextModel) => this.#settle?.(word.kind === 'failed' ? new PagestreamError(word.code, word.message) : word))
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Its word on a message; the one before must have been answered. Rejects with what it failed with, and with `engine-failed` where it ends. */
  send(message: ToTextModel): Promise<FromTextModel> {
    return new Promise((resolve, reject) => {
      this.#settle = (word) => {
        this.#settle = undefined
        if (word instanceof Error) reject(word)
        else resolve(word)
      }
      // A process that is going takes nothing more; its end is told by itself.
      if (this.#isClosed) this.#settle(this.#endedError())
      else if (this.#process.connected) this.#process.send(message, () => undefined)
    })
  }

  async end(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#closed
  }

  #endedError(): PagestreamError {
    const { signalCode, exitCode } = this.#process
    const said = this.#log.text === '' ? '' : `; it said last:\n${this.#log.text}`
    return new PagestreamError('engine-failed', `asking the text model: its process ended with ${signalCode ?? `code ${exitCode}`}${said}`)
  }
}
