import { parentPort, workerData } from 'node:worker_threads'
import { PagestreamError } from '../../../../schema/failure.ts'
import { reasonOf } from '../../../../schema/reason.ts'
import { AnswerLoop } from './answer-loop.ts'
import type { FromChild, ThreadData, ToThread } from './llama-protocol.ts'
import { loadLibrary } from './load-library.ts'
import { loadModel } from './loaded-model.ts'
import { selfTest } from './self-test.ts'

/** Thread entry: owns the library, one context and all calls into it. Talks `llama-protocol` with the process that it is in. */
const port = parentPort
if (!port) throw new Error('starting the llama.cpp thread: it is no entry of its own')

const { settings, flags } = workerData as ThreadData
const send = (message: FromChild): void => port.postMessage(message)

async function begin(): Promise<void> {
  const library = await loadLibrary(settings.library)
  const model = loadModel(library, settings)
  selfTest(model, settings)
  const loop = new AnswerLoop(model, flags, send)
  port?.on('message', ({ question, place }: ToThread) => loop.add(question, place))
  send({ kind: 'ready', facts: { build: library.build.name, architecture: model.architecture, cells: model.cells, window: model.window } })
}

begin().catch((error: unknown) => {
  if (error instanceof PagestreamError) send({ kind: 'refused', code: error.code, message: error.message })
  else send({ kind: 'refused', code: 'engine-failed', message: `loading llama.cpp: ${reasonOf(error)}` })
})
