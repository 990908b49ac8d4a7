// `node faulty-worker.mjs STAGE,STAGE…`: a worker as `pagestream worker` runs it, on a store that is slow and fails now and then.
// CHAOS_STORE holds `{ errorRate, latencyMs }` as JSON; what fails when is up to the process, not to the seed.
import { loadConfig } from '../../dist/config/load-config.js'
import { PagestreamError } from '../../dist/schema/failure.js'
import { openStore } from '../../dist/store/open-store.js'
import { Worker } from '../../dist/worker/worker.js'

const { errorRate, latencyMs } = JSON.parse(process.env.CHAOS_STORE ?? '{}')

/** A call may fail before it was done or after: whoever made it cannot know. */
async function faulty(call, name) {
  if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * latencyMs))
  const failed = () => new PagestreamError('store-failed', `calling ${name}: the store does not answer`)
  const draw = Math.random()
  if (draw < errorRate / 2) throw failed()
  const answer = await call()
  if (draw < errorRate) throw failed()
  return answer
}

function faultyStore(store) {
  const calls = ['put', 'putIfAbsent', 'putFile', 'get', 'getToFile', 'has', 'delete', 'deleteAll']
  const wrapped = calls.map((name) => [name, (...given) => faulty(() => store[name](...given), name)])
  return {
    ...Object.fromEntries(wrapped),
    async *list(prefix) {
      await faulty(async () => {}, 'list')
      yield* store.list(prefix)
    },
  }
}

const config = loadConfig({})
const stages = new Set((process.argv[2] ?? '').split(','))
const store = faultyStore(await openStore(config.store))
let end
const ended = new Promise((resolve) => {
  end = resolve
})
const onFatal = (error) => {
  process.stderr.write(`${error.message}\n`)
  end(1)
}
const worker = new Worker({ config, stages, lanes: ['live'], store, onFatal })
await worker.start()
process.stderr.write('ready: faulty\n')
process.once('SIGTERM', () => end(0))
process.exitCode = await ended
setTimeout(() => process.exit(3), config.worker.drainMs).unref()
await worker[Symbol.asyncDispose]()
process.exit(process.exitCode)
