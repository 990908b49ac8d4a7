import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { PagestreamError } from '../schema/failure.ts'
import { reasonOf, systemCode } from '../schema/reason.ts'
import { type Exposition, expose } from './exposition.ts'
import type { WorkerSource } from './metrics/of-worker.ts'
import { workerMetrics } from './metrics/worker-metrics.ts'
import { ProcessMeter } from './process-figures.ts'
import type { WorkerView } from './worker-view.ts'

/** Probes and scrapes come a few a second at most; whoever holds more connections or sends slowly is none. */
const mostConnections = 64
const requestMs = 5_000

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Why an orchestrator should end the worker, undefined while it gets on: the same that its watchdog looks at. */
export const stalledStage = ({ stages, stallMs }: Pick<WorkerView, 'stages' | 'stallMs'>) => stages.find(({ stalledMs }) => stalledMs > stallMs)

/** Answers probes, scrapes and people over HTTP: `/live`, `/ready`, `/startup`, `/metrics`, `/status`. It tells of no document's text. */
export class HealthServer implements AsyncDisposable {
  readonly #view: () => WorkerView
  readonly #meter = new ProcessMeter()
  readonly #server: Server

  private constructor(view: () => WorkerView) {
    this.#view = view
    this.#server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs }, (request, response) => void this.#respond(request, response))
    this.#server.maxConnections = mostConnections
  }

  /** Listens on the address. Rejects with `port-unavailable`. */
  static async listen(host: string, port: number, view: () => WorkerView): Promise<HealthServer> {
    const own = new HealthServer(view)
    try {
      await new Promise<void>((resolve, reject) => own.#server.once('error', reject).listen(port, host, resolve))
      return own
    } catch (error) {
      own.#meter[Symbol.dispose]()
      const why = systemCode(error) === 'EADDRINUSE' ? 'another process listens there' : reasonOf(error)
      throw new PagestreamError('port-unavailable', `listening on ${host}:${port}: ${why}`, { cause: error })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#meter[Symbol.dispose]()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type, body } = await this.#answer(request).catch((error: unknown) => text(500, reasonOf(error)))
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  async #answer({ method, url = '', headers }: IncomingMessage): Promise<Answer> {
    if (method !== 'GET' && method !== 'HEAD') return text(405, 'only GET and HEAD are answered')
    const view = this.#view()
    switch (url.replace(/\?.*$/s, '')) {
      case '/live': {
        const stuck = stalledStage(view)
        return stuck
          ? text(503, `${stuck.stage} (${stuck.lane}) has pages in hand and has finished none for ${Math.round(stuck.stalledMs / 1000)} s`)
          : text(200, 'ok')
      }
      case '/startup':
        return view.phase === 'starting' ? text(503, 'it has not joined its groups yet') : text(200, 'ok')
      case '/ready':
        return readiness(view)
      case '/metrics':
        return scraped(await expose<WorkerSource>(workerMetrics, { view, process: this.#meter.look() }, headers.accept))
      case '/status':
        return { status: 200, type: 'application/json', body: `${JSON.stringify(statusOf(view))}\n` }
      default:
        return text(404, 'there are /live, /ready, /startup, /metrics and /status')
    }
  }
}

/** Ready: its groups are joined and no stage has stopped taking in. One that waits for an engine goes on by itself. */
function readiness({ phase, stages }: WorkerView): Answer {
  if (phase !== 'running') return text(503, phase)
  const stopped = stages.find(({ state }) => state === 'stopped')
  return stopped ? text(503, `${stopped.stage} (${stopped.lane}) takes nothing in: too much of what came failed`) : text(200, 'ok')
}

const scraped = ({ contentType: type, body }: Exposition): Answer => ({ status: 200, type, body })

const statusOf = ({ phase, stages, notice }: WorkerView) => ({ phase, stages, lastNotice: notice ?? null })

const text = (status: number, body: string): Answer => ({ status, type: 'text/plain; charset=utf-8', body: `${body}\n` })
