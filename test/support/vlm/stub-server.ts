import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerAsStub, type StubCounts } from './stub-answering.ts'
import { StubClockwork } from './stub-clockwork.ts'
import { stubMetrics } from './stub-metrics.ts'
import type { StubFault, StubOptions, StubRequest } from './stub-options.ts'
import { refuseAsStub } from './stub-refusals.ts'
import { readStubRequest } from './stub-request.ts'

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function sendJson(response: ServerResponse, status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

const errorBody = (status: number, message: string, type = 'BadRequestError') => ({ error: { message, type, param: null, code: status } })

const sendError = (response: ServerResponse, status: number, message: string, type?: string) => sendJson(response, status, errorBody(status, message, type))

const sendHtml = (response: ServerResponse, status: number) =>
  response.writeHead(status, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html><head><title>Welcome to nginx!</title></head><body></body></html>')

/**
 * A server that behaves as an engine does, without a model: real HTTP, slots, speeds, a queue, streams, aborts, metrics, each kind's ways and faults. Its
 * answers come from a script. The same protocol facts as the adapters are written after.
 */
export class StubServer implements AsyncDisposable {
  readonly options: StubOptions
  readonly counts: StubCounts = { promptTokens: 0, outputTokens: 0, answered: 0, aborted: 0 }
  /** The questions that were taken, the latest last; at most `mostKept`. */
  readonly requests: StubRequest[] = []
  readonly #clockwork: StubClockwork
  readonly #server: Server
  readonly #mostKept: number
  #startedAt = 0
  #asked = 0
  /** Connections that were opened to it. */
  connections = 0
  port = 0

  private constructor(options: StubOptions, mostKept: number) {
    this.options = options
    this.#mostKept = mostKept
    this.#clockwork = new StubClockwork({ ...options, chunkTokens: options.chunkTokens ?? 1 })
    this.#server = createServer({ keepAliveTimeout: 5000 }, (request, response) => {
      this.#handle(request, response).catch(() => response.destroy())
    })
    this.#server.on('connection', () => {
      this.connections += 1
    })
  }

  /** `port` 0: any. `mostKept`: how many questions it remembers. */
  static async start(options: StubOptions, { port = 0, mostKept = 1000 }: { readonly port?: number; readonly mostKept?: number } = {}): Promise<StubServer> {
    const stub = new StubServer(options, mostKept)
    await new Promise<void>((resolve, reject) => {
      stub.#server.once('error', reject)
      stub.#server.listen(port, '127.0.0.1', resolve)
    })
    stub.#startedAt = performance.now()
    stub.port = (stub.#server.address() as AddressInfo).port
    return stub
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get running(): number {
    return this.#clockwork.running
  }

  get waiting(): number {
    return this.#clockwork.waiting
  }

  get mostRunning(): number {
    return this.#clockwork.mostRunning
  }

  /** Slot-seconds in which it worked. */
  get busySeconds(): number {
    return this.#clockwork.busySeconds
  }

  /** For whoever runs it as a process: `GET /stub`. */
  figures() {
    const { running, waiting, mostRunning, busySeconds } = this
    return { ...this.counts, asked: this.#asked, connections: this.connections, running, waiting, mostRunning, busySeconds, slots: this.options.slots }
  }

  /** Questions that came, taken or not. */
  get asked(): number {
    return this.#asked
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#clockwork.stop()
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://stub').pathname
    if (performance.now() - this.#startedAt < (this.options.loadingMs ?? 0)) return sendError(response, 503, 'Loading model', 'unavailable_error')
    if (path === '/stub') return sendJson(response, 200, this.figures())
    if (path === '/health') return sendJson(response, 200, { status: 'ok' })
    if (path === '/v1/models' && (this.options.kind === 'llama-server' || this.#isLetIn(request))) return this.#sendModels(response)
    if (!this.#isLetIn(request)) return sendError(response, 401, 'Invalid API Key', 'authentication_error')
    if (path === '/metrics') return this.#sendMetrics(response)
    if (path === '/props' && this.options.kind === 'llama-server')
      return sendJson(response, 200, { total_slots: this.options.slots, model_alias: this.options.model })
    if (path === '/v1/chat/completions' && request.method === 'POST') return this.#chat(request, response)
    return sendError(response, 404, 'Not Found', 'not_found_error')
  }

  #isLetIn({ headers }: IncomingMessage): boolean {
    return this.options.apiKey === undefined || headers.authorization === `Bearer ${this.options.apiKey}`
  }

  #sendModels(response: ServerResponse): void {
    const ids = [this.options.model, ...(this.options.otherModels ?? [])]
    sendJson(response, 200, { object: 'list', data: ids.map((id) => ({ id, object: 'model', owned_by: this.options.kind })) })
  }

  #sendMetrics(response: ServerResponse): void {
    const { running, waiting } = this.#clockwork
    const text = this.options.hasMetrics === false ? undefined : stubMetrics(this.options.kind, { running, waiting, ...this.counts }, this.options.model)
    if (text === undefined)
      sendError(response, this.options.kind === 'llama-server' ? 501 : 404, 'This server does not support metrics endpoint.', 'not_supported_error')
    else response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text)
  }

  async #chat(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const index = this.#asked++
    const request = readStubRequest(await bodyOf(incoming), index, incoming.headers.authorization)
    if (request === undefined) return sendError(response, 400, 'the body is no chat')
    this.requests.push(request)
    if (this.requests.length > this.#mostKept) this.requests.shift()
    const fault = this.options.fault?.(request)
    if (fault !== undefined && this.#refuse(fault, response)) return
    const refusal = refuseAsStub(this.options, request)
    if (refusal !== undefined) return sendError(response, refusal.status, refusal.message, refusal.type)
    await answerAsStub(this.options, this.#clockwork, this.counts, request, fault, response)
  }

  /** True when the fault is all that is answered. */
  #refuse(fault: StubFault, response: ServerResponse): boolean {
    if (fault.kind === 'status') sendJson(response, fault.status, errorBody(fault.status, fault.message ?? 'stub'), fault.headers)
    else if (fault.kind === 'html') sendHtml(response, fault.status ?? 200)
    else if (fault.kind !== 'hang') return false
    return true
  }
}
