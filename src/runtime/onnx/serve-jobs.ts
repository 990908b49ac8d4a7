import { parentPort } from 'node:worker_threads'
import { PagestreamError } from '../../schema/failure.ts'
import type { JobMessage, ReplyMessage } from './worker-messages.ts'

/**
 * The worker's side of `WorkerPool`: answers one job after another with `handle`.
 * An exception of `handle` is the answer `model-failed` (or its own code); the worker lives on.
 */
export function serveJobs<Request, Reply>(handle: (request: Request) => Promise<Reply>): void {
  const port = parentPort
  if (!port) throw new Error('serving jobs: this module runs in a worker thread only')
  let previous: Promise<void> = Promise.resolve()
  port.on('message', (job: JobMessage<Request>) => {
    previous = previous.then(async () => {
      const answer: ReplyMessage<Reply> = await handle(job.request).then(
        (reply) => ({ id: job.id, reply }),
        (error: unknown) => ({ id: job.id, error: describe(error) }),
      )
      port.postMessage(answer)
    })
  })
}

function describe(error: unknown): { code: PagestreamError['code']; message: string } {
  if (error instanceof PagestreamError) return { code: error.code, message: error.message }
  return { code: 'model-failed', message: `running a model: ${error instanceof Error ? error.message : String(error)}` }
}
