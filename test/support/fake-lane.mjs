// Talks lane-protocol as a test tells it to, by the name of the first stage.
import { parentPort, workerData } from 'node:worker_threads'

const { stages, lane, nice } = workerData
const [stage] = stages
const view = (state) =>
  tell({ kind: 'view', view: { lane, counters: {}, stages: [{ stage, lane, state, partitions: [], pagesInFlight: 0, bytesHeld: 0, stalledMs: 0 }] } })
const tell = (message) => parentPort.postMessage(message)

parentPort.on('message', (message) => {
  view('waiting')
  tell({ kind: 'log', entry: { level: 'info', text: message } })
  tell({ kind: 'drained' })
  if (message === 'end') parentPort.close()
})

const begin = {
  'page-render'() {
    view('open')
    tell({ kind: 'ready' })
  },
  'text-finder': () => tell({ kind: 'failed', failure: { code: 'kafka-refused', message: 'wrong password' } }),
  layout() {
    tell({ kind: 'ready' })
    tell({ kind: 'fatal', failure: { code: 'worker-stalled', message: `nice ${nice}` } })
  },
  'region-recognition'() {
    tell({ kind: 'ready' })
    setImmediate(() => {
      throw new Error('out of luck')
    })
  },
  assemble: () => {},
}
begin[stage]()
