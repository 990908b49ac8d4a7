import { expect, it } from 'vitest'
import { MemoryBus } from '../../../src/consumers/memory-bus.ts'
import type { StageBinding } from '../../../src/consumers/stage-binding.ts'
import { StageWorker } from '../../../src/consumers/stage-worker.ts'
import { PagestreamError, toFailure } from '../../../src/schema/failure.ts'
import { Counters } from '../../../src/telemetry/counters.ts'
import { eventually, letter } from '../../support/bus-contract.ts'

const away = () => new PagestreamError('store-failed', 'reading: the store does not answer')

interface Page {
  readonly number: number
}

/** A worker whose records stand for three pages each; expanding or working fails as often as it is told. */
function setUp({ expandFails = 0, workFails = 0 }: { expandFails?: number; workFails?: number }) {
  const log = { done: [] as number[], failed: 0, unreadable: 0, fatal: [] as Error[] }
  const left = { expand: expandFails, work: workFails }
  const binding: StageBinding<'dead-letter', Page, true> = {
    topic: 'dead-letter',
    stage: {
      name: 'layout',
      cost: () => 1,
      async *process({ pages }) {
        for (const input of pages) yield left.work-- > 0 ? { kind: 'failed', input, failure: toFailure(away()) } : { kind: 'done', input, value: true }
      },
    },
    async *expand() {
      for (let number = 0; number < 3; number++) {
        if (number === 2 && left.expand-- > 0) throw away()
        yield { kind: 'page', page: { number } }
      }
    },
    done: async ({ number }) => {
      log.done.push(number)
      return []
    },
    failed: async () => {
      log.failed++
      return []
    },
    unreadable: async () => {
      log.unreadable++
      return []
    },
  }
  const bus = new MemoryBus({ partitions: 1 })
  const worker = new StageWorker(binding, {
    ...{
      bus,
      group: 'test',
      window: { pages: 8, costMs: 1000, bytes: 1e9, ageMs: 5 },
      maxPagesInFlight: 32,
      windows: 2,
      lane: 'live',
    },
    counters: new Counters(),
    onFatal: (error) => log.fatal.push(error),
  })
  return { bus, worker, log }
}

it('expands a record again after a failure that passes, and takes no page of it twice', async () => {
  const { bus, worker, log } = setUp({ expandFails: 2 })
  await worker.start()
  await bus.publish([letter('a')])
  await eventually(() => expect(log.done.sort()).toEqual([0, 1, 2]))
  await worker.drain()
  expect(log).toMatchObject({ unreadable: 0, fatal: [] })
})

it('ends the page without patience, when its failure does not pass', async () => {
  const { bus, worker, log } = setUp({ workFails: Number.POSITIVE_INFINITY })
  await worker.start()
  await bus.publish([letter('a')])
  await eventually(() => expect(log.failed).toBe(3))
  await worker.drain()
  expect(log.fatal).toEqual([])
})
