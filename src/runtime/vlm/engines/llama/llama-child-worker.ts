import { Worker } from 'node:worker_threads'
import { reasonOf } from '../../../../schema/reason.ts'
import { type FromChild, flagBytes, maxQuestions, type ThreadData, type ToChild, type ToThread } from './llama-protocol.ts'

/**
 * Entry of the child process, where a fault of the library ends nothing else. Its main thread only passes messages on, so that questions are
 * cancelled while the library computes in the thread. Ended by SIGTERM at any time, and when the process that started it is gone.
 */
const flags = new SharedArrayBuffer((maxQuestions + 1) * flagBytes)
const bytes = new Uint8Array(flags)
/** Place of each question in hand. The first place is nobody's. */
const places = new Map<number, number>()
const free = Array.from({ length: maxQuestions }, (_, i) => maxQuestions - i)
let thread: Worker | undefined

const send = (message: FromChild): void => void process.send?.(message)
const end = (): void => void process.kill(process.pid, 'SIGTERM')

// A Ctrl-C goes to all processes of a terminal: ours ends when its parent has no more questions.
process.on('SIGINT', () => undefined)
process.once('disconnect', end)
process.on('message', (message: ToChild) => {
  if (message.kind === 'load') load({ settings: message.settings, flags })
  else if (message.kind === 'ask') ask(message)
  else cancel(message.id)
})

function load(workerData: ThreadData): void {
  thread = new Worker(new URL('./llama-worker.js', import.meta.url), { workerData })
  thread.on('message', (message: FromChild) => {
    if (message.kind === 'done' || message.kind === 'failed') release(message.id)
    send(message)
  })
  thread.on('error', (error) => {
    process.stderr.write(`the thread of the library has ended: ${reasonOf(error)}\n`)
    end()
  })
}

function ask({ question }: Extract<ToChild, { kind: 'ask' }>): void {
  const place = free.pop()
  if (place === undefined || !thread) {
    send({ kind: 'failed', id: question.id, code: 'engine-busy', message: 'asking the model: too many questions are in hand' })
    return
  }
  places.set(question.id, place)
  Atomics.store(bytes, place * flagBytes, 0)
  const message: ToThread = { kind: 'ask', question, place }
  thread.postMessage(message)
}

function cancel(id: number): void {
  const place = places.get(id)
  if (place !== undefined) Atomics.store(bytes, place * flagBytes, 1)
}

function release(id: number): void {
  const place = places.get(id)
  if (place === undefined) return
  places.delete(id)
  free.push(place)
}
