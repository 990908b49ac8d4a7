import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { PagestreamError } from '../schema/failure.ts'
import { reasonOf, systemCode } from '../schema/reason.ts'

/** Probes and scrapes come a few a second at most; whoever holds more connections or sends slowly is none. */
const mostConnections = 64
const requestMs = 5_000

export interface HttpAnswer {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Answers to the paths that there are; a path without one is answered with 404 and their names. `accept` is what the client takes. */
export type HttpRoutes = Readonly<Record<`/${string}`, (accept: string | undefined) => HttpAnswer | Promise<HttpAnswer>>>

/** A small server for probes, scrapes and people. It reads nothing that is sent to it but the first line and the headers. */
export class HttpServer implements AsyncDisposable {
  readonly #routes: HttpRoutes
  readonly #server: Server

  private constructor(routes: HttpRoutes) {
    this.#routes = routes
    this.#server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs }, (request, response) => void this.#respond(request, response))
    this.#server.maxConnections = mostConnections
  }

  /** Listens on the address. Rejects with `port-unavailable`. */
  static async listen(host: string, port: number, routes: HttpRoutes): Promise<HttpServer> {
    const own = new HttpServer(routes)
    try {
      await new Promise<void>((resolve, reject) => own.#server.once('error', reject).listen(port, host, resolve))
      return own
    } catch (error) {
      const why = systemCode(error) === 'EADDRINUSE' ? 'another process listens there' : reasonOf(error)
      throw new PagestreamError('port-unavailable', `listening on ${host}:${port}: ${why}`, { cause: error })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type, body } = await this.#answer(request).catch((error: unknown) => text(500, reasonOf(error)))
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  async #answer({ method, url = '', headers }: IncomingMessage): Promise<HttpAnswer> {
    if (method !== 'GET' && method !== 'HEAD') return text(405, 'only GET and HEAD are answered')
    const path = url.replace(/\?.*$/s, '')
    const route = Object.entries(this.#routes).find(([name]) => name === path)?.[1]
    return route ? route(headers.accept) : text(404, `there are ${Object.keys(this.#routes).join(', ')}`)
  }
}

export const text = (status: number, body: string): HttpAnswer => ({ status, type: 'text/plain; charset=utf-8', body: `${body}\n` })
export const json = (value: unknown): HttpAnswer => ({ status: 200, type: 'application/json', body: `${JSON.stringify(value)}\n` })
