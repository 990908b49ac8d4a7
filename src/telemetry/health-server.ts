import { expose } from './exposition.ts'
import { type HttpAnswer, type HttpRoutes, HttpServer, json, text } from './http-server.ts'
import type { WorkerSource } from './metrics/of-worker.ts'
import { workerMetrics } from './metrics/worker-metrics.ts'
import { ProcessMeter } from './process-figures.ts'
import { RateMeter } from './rate-meter.ts'
import { totalsOf } from './worker-rates.ts'
import { workerStatus } from './worker-status.ts'
import type { WorkerView } from './worker-view.ts'

/** Why an orchestrator should end the worker, undefined while it gets on: the same that its watchdog looks at. */
export const stalledStage = ({ stages, stallMs }: Pick<WorkerView, 'stages' | 'stallMs'>) => stages.find(({ stalledMs }) => stalledMs > stallMs)

/** Answers probes, scrapes and people over HTTP: `/live`, `/ready`, `/startup`, `/metrics`, `/status`. It tells of no document's text. */
export class HealthServer implements AsyncDisposable {
  readonly #view: () => WorkerView
  readonly #meter = new ProcessMeter()
  readonly #rates: RateMeter
  #server: HttpServer | undefined

  private constructor(view: () => WorkerView) {
    this.#view = view
    this.#rates = new RateMeter(() => totalsOf(view()))
  }

  /** Listens on the address. Rejects with `port-unavailable`. */
  static async listen(host: string, port: number, view: () => WorkerView): Promise<HealthServer> {
    const own = new HealthServer(view)
    try {
      own.#server = await HttpServer.listen(host, port, own.#routes)
      return own
    } catch (error) {
      await own[Symbol.asyncDispose]()
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#meter[Symbol.dispose]()
    this.#rates[Symbol.dispose]()
    await this.#server?.[Symbol.asyncDispose]()
  }

  get #routes(): HttpRoutes {
    return {
      '/live': () => liveness(this.#view()),
      '/ready': () => readiness(this.#view()),
      '/startup': () => (this.#view().phase === 'starting' ? text(503, 'it has not joined its groups yet') : text(200, 'ok')),
      '/metrics': async (accept) => {
        const source = { view: this.#view(), process: this.#meter.look(), rates: this.#rates.rates() }
        const { contentType: type, body } = await expose<WorkerSource>(workerMetrics, source, accept)
        return { status: 200, type, body }
      },
      '/status': () => json(workerStatus(this.#view(), this.#rates.rates(), this.#meter)),
    }
  }
}

function liveness(view: WorkerView): HttpAnswer {
  const stuck = stalledStage(view)
  if (!stuck) return text(200, 'ok')
  return text(503, `${stuck.stage} (${stuck.lane}) has pages in hand and has finished none for ${Math.round(stuck.stalledMs / 1000)} s`)
}

/** Ready: models are loaded, groups are joined and no stage has stopped taking in. One that waits for an engine goes on by itself, and is named. */
function readiness({ phase, stages }: WorkerView): HttpAnswer {
  if (phase !== 'running') return text(503, phase)
  const stopped = stages.find(({ state }) => state === 'stopped')
  if (stopped) return text(503, `${stopped.stage} (${stopped.lane}) takes nothing in: too much of what came failed (circuit breaker)`)
  const waiting = stages.filter(({ state }) => state === 'waiting').map(({ stage, lane }) => `${stage} (${lane})`)
  return text(200, waiting.length === 0 ? 'ok' : `ok; waiting for an engine or store: ${waiting.join(', ')}`)
}
