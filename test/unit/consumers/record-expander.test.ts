import { afterEach, beforeEach, expect, it } from 'vitest'
import type { OutRecord } from '../../../src/consumers/bus.ts'
import { MemoryBus } from '../../../src/consumers/memory-bus.ts'
import type { StageBinding } from '../../../src/consumers/stage-binding.ts'
import { StageWorker } from '../../../src/consumers/stage-worker.ts'
import { type FailureCode, PagestreamError, toFailure } from '../../../src/schema/failure.ts'
import { Counters } from '../../../src/telemetry/counters.ts'
import { eventually, letter } from '../../support/bus-contract.ts'
import { source } from '../../support/page-results.ts'

const failure = (code: FailureCode) => new PagestreamError(code, 'publishing: not now')
const document: OutRecord = { topic: 'documents', key: 'd', payload: { documentId: 'd', revision: 'r', source, ocr: 'never' } }
const tombstone: OutRecord = { topic: 'documents', key: 'd', payload: null }

let bus: MemoryBus
beforeEach(() => {
  bus = new MemoryBus()
})
afterEach(async () => bus.close())

/** A worker whose dead letters fail to leave for `deadLetters`, and whose documents fail to be expanded or worked on for the others. */
function setUp(fails: { deadLetters?: FailureCode | undefined; expand?: FailureCode; work?: FailureCode }) {
  const log = { letters: [] as OutRecord[], tries: 0, done: 0, failed: 0, fatal: [] as string[] }
  const publish = bus.publish.bind(bus)
  bus.publish = async (records) => {
    const letters = records.filter(({ topic }) => topic === 'dead-letter')
    if (letters.length > 0) log.tries++
    if (letters.length > 0 && fails.deadLetters) throw failure(fails.deadLetters)
    log.letters.push(...letters)
    await publish(records.filter((record) => !letters.includes(record)))
  }
  const binding: StageBinding<'documents', string, true> = {
    topic: 'documents',
    stage: {
      name: 'page-render',
      cost: () => 1,
      async *process({ pages }) {
        for (const input of pages) yield fails.work ? { kind: 'failed', input, failure: toFailure(failure(fails.work)) } : { kind: 'done', input, value: true }
      },
    },
    async *expand({ documentId }) {
      if (fails.expand) throw failure(fails.expand)
      yield { kind: 'page', page: documentId }
    },
    done: async () => {
      log.done++
      return []
    },
    failed: async () => {
      log.failed++
      return []
    },
    unreadable: async () => [letter('d')],
  }
  const worker = new StageWorker(binding, {
    ...{ bus, group: 'test', window: { pages: 8, costMs: 1000, bytes: 1e9, ageMs: 5 }, maxPagesInFlight: 32, windows: 2, lane: 'live' },
    counters: new Counters(),
    onFatal: (error) => log.fatal.push(error instanceof PagestreamError ? error.code : error.message),
    patience: { deadLetterRate: 1, deadLetterPages: 10, breakerPauseMs: 300, retry: { attempts: 3, ms: 0 } },
  })
  return { worker, log }
}

it.each([
  ['a record that is no event', tombstone, undefined],
  ['a document that cannot be read', document, 'document-corrupt' as const],
])('waits for a store that is away while the dead letter of %s is kept', async (_, record, expand) => {
  const fails: Parameters<typeof setUp>[0] = { deadLetters: 'store-failed', ...(expand && { expand }) }
  const { worker, log } = setUp(fails)
  await worker.start()
  await bus.publish([record])
  await eventually(() => expect(log.tries).toBeGreaterThan(3))
  expect(bus.backlog('documents')).toBe(1)
  fails.deadLetters = undefined
  await eventually(() => expect(bus.backlog('documents')).toBe(0))
  expect(log).toMatchObject({ letters: [{ topic: 'dead-letter' }], fatal: [] })
  await worker.drain()
})

it('is drained while it waits to refuse a record, which comes again to the next', async () => {
  const { worker } = setUp({ deadLetters: 'store-failed' })
  await worker.start()
  await bus.publish([tombstone])
  await eventually(() => expect(worker.state).toBe('waiting'))
  await worker.drain()
  expect(bus.backlog('documents')).toBe(1)
})

it.each(['kafka-refused', 'kafka-forbidden', 'kafka-topic-missing', 'configuration'] as const)(
  'ends the worker and condemns no record for %s, when it is expanded and when it is worked on',
  async (code) => {
    const expanding = setUp({ expand: code })
    await expanding.worker.start()
    await bus.publish([document])
    await eventually(() => expect(expanding.log.fatal).toEqual([code]))
    await expanding.worker.drain()
    expect(bus.backlog('documents')).toBe(1)
    const working = setUp({ work: code })
    await working.worker.start()
    await eventually(() => expect(working.log.fatal).toEqual([code]))
    await working.worker.drain()
    expect(bus.backlog('documents')).toBe(1)
    expect([...expanding.log.letters, ...working.log.letters]).toEqual([])
    expect(working.log.failed).toBe(0)
  },
)
