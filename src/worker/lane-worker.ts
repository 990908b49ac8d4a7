import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { toFailure } from '../schema/failure.ts'
import { reasonOf } from '../schema/reason.ts'
import { LaneChain } from './lane-chain.ts'
import { type FromLane, type LaneFailure, type LaneThreadData, type ToLane, viewEveryMs } from './lane-protocol.ts'

/** Thread entry: the stages of one lane. Talks `lane-protocol`. */
const port = parentPort
if (!port) throw new Error('starting the thread of a lane: it is no entry of its own')

const { config, stages, lane, nice } = workerData as LaneThreadData
const tell = (message: FromLane): void => port.postMessage(message)

giveWay()

const tellView = (): void => tell({ kind: 'view', view: chain.view })
const chain: LaneChain = new LaneChain(
  { config, stages: new Set(stages), lane },
  {
    fatal: (error) => tell({ kind: 'fatal', failure: failureOf(error) }),
    log(entry) {
      tellView()
      tell({ kind: 'log', entry })
    },
  },
)

setInterval(tellView, viewEveryMs)

port.on('message', async (message: ToLane) => {
  await (message === 'drain' ? chain.drain() : chain[Symbol.asyncDispose]())
  tell({ kind: 'drained' })
})

chain.start().then(
  () => {
    tellView()
    tell({ kind: 'ready' })
  },
  (error: unknown) => tell({ kind: 'failed', failure: failureOf(error) }),
)

function failureOf(error: unknown): LaneFailure {
  const { code, message } = toFailure(error)
  return { code, message }
}

/** Linux has a priority for each thread, and a thread that is started has that of its maker. Other systems would lower the whole process. */
function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, Math.min(19, getPriority(0) + nice))
  } catch (error) {
    tell({ kind: 'log', entry: { level: 'warn', lane, text: `the ${lane} lane does not give way, the system refuses: ${reasonOf(error)}` } })
  }
}
