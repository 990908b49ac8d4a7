import { Pool } from 'undici'
import { PagestreamError } from '../../../../schema/failure.ts'
import { type Exchange, type ExchangeListener, openExchange } from './exchange.ts'
import { transportFailure } from './transport-failure.ts'

const connectTimeoutMs = 10_000
/** Below the five seconds after which the usual servers in Python close an idle connection: a question is not sent into one that closes. */
const keepAliveMs = 4000
const mostTextBytes = 8 << 20

export interface TextAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** `http://host/`, `http://host/v1` and `http://host/base/v1/` are the same server's, told by its base path. */
export function basePathOf(url: URL): string {
  return url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/** One server and the connections to it. */
export class HttpServer implements AsyncDisposable {
  /** For messages. */
  readonly address: string
  readonly #pool: Pool
  readonly #base: string
  #key: string | undefined

  constructor(url: string) {
    const parsed = new URL(url)
    this.#base = basePathOf(parsed)
    this.address = `${parsed.origin}${this.#base}`
    this.#pool = new Pool(parsed.origin, {
      connect: { timeout: connectTimeoutMs },
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      // Each question has times of its own, which know when an answer has begun.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  useKey(key: string | undefined): void {
    this.#key = key
  }

  /** Sends a question; `path` from the base of the server on. */
  post(path: string, body: Uint8Array, listener: ExchangeListener): Exchange {
    const headers = { ...this.#headers(), 'content-type': 'application/json', accept: 'text/event-stream' }
    return openExchange(this.#pool, { method: 'POST', path: this.#base + path, headers, body }, listener)
  }

  /** Rejects with `engine-unreachable`, `engine-refused`, `engine-timeout`, `answer-invalid`, `cancelled`. */
  async getText(action: string, path: string, timeoutMs: number, signal?: AbortSignal): Promise<TextAnswer> {
    const answer = { status: 0, contentType: '' }
    const chunks: Buffer[] = []
    let bytes = 0
    const exchange = openExchange(
      this.#pool,
      { method: 'GET', path: this.#base + path, headers: this.#headers() },
      {
        head: (status, contentType) => Object.assign(answer, { status, contentType }),
        data: (chunk) => {
          chunks.push(chunk)
          bytes += chunk.length
          if (bytes > mostTextBytes) throw new PagestreamError('answer-invalid', `${action}: ${this.address}${path} has no end`)
        },
      },
    )
    const cancel = () => exchange.end(new PagestreamError('cancelled', `${action}: stopped`))
    const late = () => exchange.end(new PagestreamError('engine-timeout', `${action}: ${this.address}${path} did not answer within ${timeoutMs} ms`))
    const timer = setTimeout(late, timeoutMs)
    signal?.addEventListener('abort', cancel, { once: true })
    if (signal?.aborted) cancel()
    try {
      await exchange.done
    } catch (error) {
      throw transportFailure(action, this.address, error, answer.status > 0)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
    return { ...answer, body: Buffer.concat(chunks).toString('utf8') }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy()
  }

  #headers(): Record<string, string> {
    return { 'user-agent': 'pagestream', ...(this.#key === undefined ? {} : { authorization: `Bearer ${this.#key}` }) }
  }
}
