import type { BackfillCheckpoint } from '../schema/backfill.ts'
import { expose } from './exposition.ts'
import { HttpServer, json, text } from './http-server.ts'
import { type RunSource, runMetrics } from './metrics/run-metrics.ts'
import { ProcessMeter } from './process-figures.ts'

/** Answers `/live`, `/metrics` and `/status` for a process that works on a backfill. */
export class RunServer implements AsyncDisposable {
  readonly #server: HttpServer
  readonly #meter: ProcessMeter

  private constructor(server: HttpServer, meter: ProcessMeter) {
    this.#server = server
    this.#meter = meter
  }

  /** `status`: what `/status` tells as JSON. Rejects with `port-unavailable`. */
  static async listen(host: string, port: number, checkpoint: () => BackfillCheckpoint, status: () => unknown): Promise<RunServer> {
    const meter = new ProcessMeter()
    try {
      const server = await HttpServer.listen(host, port, {
        '/live': () => text(200, 'ok'),
        '/metrics': async (accept) => {
          const { contentType: type, body } = await expose<RunSource>(runMetrics, { checkpoint: checkpoint(), process: meter.look() }, accept)
          return { status: 200, type, body }
        },
        '/status': () => json(status()),
      })
      return new RunServer(server, meter)
    } catch (error) {
      meter[Symbol.dispose]()
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#meter[Symbol.dispose]()
    await this.#server[Symbol.asyncDispose]()
  }
}
