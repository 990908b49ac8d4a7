import { afterEach, describe, expect, it } from 'vitest'
import { MemoryBus } from '../../../src/consumers/memory-bus.ts'
import type { StageBinding } from '../../../src/consumers/stage-binding.ts'
import type { Patience } from '../../../src/consumers/stage-health.ts'
import { StageWorker } from '../../../src/consumers/stage-worker.ts'
import { type Failure, PagestreamError } from '../../../src/schema/failure.ts'
import type { Outcome, Window } from '../../../src/schema/stage.ts'
import { Counters } from '../../../src/telemetry/counters.ts'
import { eventually, letter } from '../../support/bus-contract.ts'

type Page = string
type Process = (page: Page, attempt: number) => Promise<Failure | undefined>

/** A worker that reads dead letters, because they are small, and works on their document id. */
function setUp(
  bus: MemoryBus,
  process: Process,
  options: {
    maxPagesInFlight?: number
    throws?: (pages: readonly Page[]) => boolean
    pagesOf?: (id: string) => Page[]
    store?: (page: Page) => void
    onFatal?: (error: Error) => void
    patience?: Patience
    expands?: (id: string) => void
  } = {},
) {
  const log = { done: [] as Page[], failed: [] as { page: Page; failure: Failure }[], windows: [] as number[], most: 0, attempts: new Map<Page, number>() }
  const pagesOf = options.pagesOf ?? ((id: string) => [id])
  let inFlight = 0
  const binding: StageBinding<'dead-letter', { page: Page }, true> = {
    topic: 'dead-letter',
    stage: {
      name: 'layout',
      cost: () => 1,
      async *process(window: Window<{ page: Page }>): AsyncIterable<Outcome<{ page: Page }, true>> {
        log.windows.push(window.pages.length)
        if (options.throws?.(window.pages.map(({ page }) => page))) throw new Error('the whole window fails')
        for (const input of window.pages) {
          log.most = Math.max(log.most, ++inFlight)
          const attempt = (log.attempts.get(input.page) ?? 0) + 1
          log.attempts.set(input.page, attempt)
          const failure = await process(input.page, attempt)
          inFlight--
          yield failure ? { kind: 'failed', input, failure } : { kind: 'done', input, value: true }
        }
      },
    },
    async *expand({ documentId }) {
      options.expands?.(documentId)
      for (const page of pagesOf(documentId)) yield { kind: 'page', page: { page } }
    },
    done: async ({ page }) => {
      options.store?.(page)
      log.done.push(page)
      return []
    },
    failed: async ({ page }, failure) => {
      log.failed.push({ page, failure })
      return []
    },
    unreadable: async ({ documentId }, failure) => {
      log.failed.push({ page: documentId, failure })
      return []
    },
  }
  const counters = new Counters()
  const states: string[] = []
  const worker = new StageWorker(binding, {
    ...(options.patience && { patience: { ...options.patience, changed: (state) => states.push(state) } }),
    bus,
    group: 'test',
    window: { pages: 8, costMs: 1000, bytes: 1e9, ageMs: 5 },
    maxPagesInFlight: options.maxPagesInFlight ?? 32,
    windows: 2,
    lane: 'live',
    counters,
    onFatal: (error) => {
      if (!options.onFatal) throw error
      options.onFatal(error)
    },
  })
  return { worker, log, counters, states }
}

const ok: Process = async () => undefined
const transient: Failure = { class: 'transient', code: 'store-failed', message: 'busy' }
const input: Failure = { class: 'input', code: 'page-corrupt', message: 'bad' }

describe('the stage worker', () => {
  let bus: MemoryBus
  afterEach(async () => bus.close())

  it('says so and can still be drained when the outcome of a page cannot be stored', async () => {
    bus = new MemoryBus()
    const fatal: string[] = []
    const store = (page: Page) => {
      if (page === '1') throw new Error('disk full')
    }
    const { worker, log } = setUp(bus, ok, { store, onFatal: (error) => fatal.push(error.message) })
    await worker.start()
    await bus.publish([letter('1'), letter('2'), letter('3')])
    await eventually(() => expect(log.done.sort()).toEqual(['2', '3']))
    await worker.drain()
    expect(fatal).toEqual(['disk full'])
  })

  it('tells for how long nothing was finished while work was in hand', async () => {
    bus = new MemoryBus()
    let answer: () => void = () => {}
    const hangs = new Promise<void>((resolve) => {
      answer = resolve
    })
    const { worker, log } = setUp(bus, async () => void (await hangs))
    await worker.start()
    expect(worker.stalledMs(Date.now() + 1000)).toBe(0)
    await bus.publish([letter('slow')])
    await eventually(() => expect(worker.stalledMs(Date.now() + 1000)).toBeGreaterThanOrEqual(1000))
    answer()
    await eventually(() => expect(log.done).toEqual(['slow']))
    await eventually(() => expect(worker.stalledMs(Date.now() + 1000)).toBe(0))
    await worker.drain()
  })

  it('works on every page once and commits all of it', async () => {
    bus = new MemoryBus()
    const { worker, log } = setUp(bus, ok)
    await worker.start()
    for (let i = 0; i < 100; i++) await bus.publish([letter(`${i}`)])
    await eventually(() => expect(bus.backlog('dead-letter')).toBe(0))
    expect(log.done.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i))
    await worker.drain()
  })

  it('tries a transient failure again and an input failure never', async () => {
    bus = new MemoryBus()
    const { worker, log, counters } = setUp(bus, async (page, attempt) => (page === 'bad' ? input : page === 'busy' && attempt < 3 ? transient : undefined))
    await worker.start()
    await bus.publish([letter('busy'), letter('bad'), letter('good')])
    await eventually(() => expect(bus.backlog('dead-letter')).toBe(0))
    expect(log.done.sort()).toEqual(['busy', 'good'])
    expect(log.failed).toEqual([{ page: 'bad', failure: input }])
    expect(log.attempts.get('bad')).toBe(1)
    expect(counters.stages.layout.retries).toBe(2)
    await worker.drain()
  })

  it('finds the page to blame when a whole window throws, and the others come through', async () => {
    bus = new MemoryBus()
    const { worker, log } = setUp(bus, ok, { throws: (pages) => pages.includes('3') })
    await worker.start()
    for (let i = 0; i < 8; i++) await bus.publish([letter(`${i}`)])
    await eventually(() => expect(bus.backlog('dead-letter')).toBe(0))
    expect(log.failed.map(({ page }) => page)).toEqual(['3'])
    expect(log.done.sort()).toEqual(['0', '1', '2', '4', '5', '6', '7'])
    await worker.drain()
  })

  it('takes in no more pages than it may hold, whatever a record stands for', async () => {
    bus = new MemoryBus()
    let open = 0
    let most = 0
    const pagesOf = (id: string) =>
      Array.from({ length: 200 }, (_, i) => {
        return `${id}/${i}`
      })
    const { worker, log } = setUp(
      bus,
      async () => {
        most = Math.max(most, ++open)
        await new Promise((resolve) => setTimeout(resolve, 1))
        open--
        return undefined
      },
      { maxPagesInFlight: 10, pagesOf },
    )
    await worker.start()
    await bus.publish([letter('a'), letter('b')])
    await eventually(() => expect(bus.backlog('dead-letter')).toBe(0), 20_000)
    expect(log.done).toHaveLength(400)
    expect(most).toBeLessThanOrEqual(10)
    await worker.drain()
  })

  it('leaves unfinished records to the next member after a crash, and finished ones are not repeated', async () => {
    bus = new MemoryBus()
    const hanging = new Set(['7'])
    const first = setUp(bus, (page) => (hanging.has(page) ? new Promise(() => {}) : Promise.resolve(undefined)))
    await first.worker.start()
    for (let i = 0; i < 10; i++) await bus.publish([letter(`${i}`, 'one partition')])
    await eventually(() => expect(first.log.done.length).toBeGreaterThanOrEqual(7))
    const second = setUp(bus, ok)
    await second.worker.start() // a rebalance, as after a lost session: the first never answers again
    const third = setUp(bus, ok)
    await third.worker.start()
    await eventually(() => expect([...second.log.done, ...third.log.done, ...first.log.done]).toContain('9'))
    const replayed = [...second.log.done, ...third.log.done]
    expect(replayed.every((page) => Number(page) >= 7)).toBe(true)
  })

  it('finishes the pages under way when drained and leaves the rest uncommitted', async () => {
    bus = new MemoryBus()
    const { worker, log } = setUp(
      bus,
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return undefined
      },
      { maxPagesInFlight: 4 },
    )
    await worker.start()
    for (let i = 0; i < 30; i++) await bus.publish([letter(`${i}`, 'k')])
    await eventually(() => expect(log.done.length).toBeGreaterThan(2))
    await worker.drain()
    const done = log.done.length
    expect(done).toBeLessThan(30)
    expect(bus.backlog('dead-letter')).toBeGreaterThanOrEqual(30 - done)
    const next = setUp(bus, ok)
    await next.worker.start()
    await eventually(() => expect(bus.backlog('dead-letter')).toBe(0))
    expect(new Set([...log.done, ...next.log.done]).size).toBe(30)
    await next.worker.drain()
  })

  const patience: Patience = { deadLetterRate: 0.5, deadLetterPages: 10, breakerPauseMs: 300, retry: { attempts: 3, ms: 0 } }

  it('fails no page while what it works with is down, takes in no more, and finishes all when it is back', async () => {
    bus = new MemoryBus()
    let down = true
    const { worker, log, states } = setUp(bus, async () => (down ? transient : undefined), { patience, maxPagesInFlight: 8 })
    await worker.start()
    for (let i = 0; i < 40; i++) await bus.publish([letter(`${i}`)])
    await eventually(() => expect(Math.max(0, ...log.attempts.values())).toBeGreaterThan(5))
    expect(log.attempts.size).toBeLessThanOrEqual(9)
    expect(worker.state).toBe('waiting')
    expect(log.failed).toEqual([])
    down = false
    await eventually(() => expect(bus.backlog('dead-letter')).toBe(0))
    expect(log.failed).toEqual([])
    expect(log.done).toHaveLength(40)
    expect(states).toEqual(['waiting', 'open'])
    await worker.drain()
  })

  it('waits for a store that is down when a record is expanded and when an outcome is stored', async () => {
    bus = new MemoryBus()
    let down = true
    const away = () => {
      if (down) throw new PagestreamError('store-failed', 'reading: away')
    }
    const expanded = setUp(bus, ok, { patience, expands: away })
    await expanded.worker.start()
    await bus.publish([letter('a'), letter('b')])
    await eventually(() => expect(expanded.counters.stages.layout.retries).toBeGreaterThan(6))
    down = false
    await eventually(() => expect(expanded.log.done.sort()).toEqual(['a', 'b']))
    expect(expanded.log.failed).toEqual([])
    await expanded.worker.drain()
    down = true
    const stored = setUp(bus, ok, { patience, store: away })
    await stored.worker.start()
    await bus.publish([letter('c')])
    await eventually(() => expect(stored.counters.stages.layout.retries).toBeGreaterThan(3))
    down = false
    await eventually(() => expect(stored.log.done).toEqual(['c']))
    await stored.worker.drain()
  })

  it('gives up a page that fails alone once what it works with answers apart from it, and takes in again', async () => {
    bus = new MemoryBus()
    let well = false
    const probe = async () => well
    const { worker, log, states } = setUp(bus, async (page) => (page === 'poison' ? transient : undefined), {
      patience: { ...patience, probe, retry: { attempts: 2, ms: 0 } },
    })
    await worker.start()
    await bus.publish([letter('poison')])
    await eventually(() => expect(log.attempts.get('poison')).toBeGreaterThan(3))
    expect(log.failed).toEqual([])
    expect(worker.state).toBe('waiting')
    well = true
    await eventually(() => expect(log.failed.map(({ page }) => page)).toEqual(['poison']))
    await eventually(() => expect(bus.backlog('dead-letter')).toBe(0))
    await bus.publish([letter('good')])
    await eventually(() => expect(log.done).toEqual(['good']))
    expect(states).toEqual(['waiting', 'open'])
    await worker.drain()
  })

  it('is drained at once while it waits, and leaves what it had to the next', async () => {
    bus = new MemoryBus()
    const { worker, log } = setUp(bus, async () => transient, { patience })
    await worker.start()
    await bus.publish([letter('a'), letter('b'), letter('c')])
    await eventually(() => expect(worker.state).toBe('waiting'))
    await worker.drain()
    expect(log.failed).toEqual([])
    const next = setUp(bus, ok)
    await next.worker.start()
    await eventually(() => expect(next.log.done.sort()).toEqual(['a', 'b', 'c']))
    await next.worker.drain()
  })

  it('stops taking in when too many pages fail for good, and looks again after a while', async () => {
    bus = new MemoryBus()
    const { worker, log, states } = setUp(bus, async (page) => (Number(page) < 12 ? input : undefined), { patience, maxPagesInFlight: 2 })
    await worker.start()
    for (let i = 0; i < 30; i++) await bus.publish([letter(`${i}`, 'one partition')])
    await eventually(() => expect(worker.state).toBe('stopped'))
    await new Promise((resolve) => setTimeout(resolve, 100))
    const taken = log.attempts.size
    expect(taken).toBeLessThanOrEqual(14)
    await eventually(() => expect(bus.backlog('dead-letter')).toBe(0))
    expect(states).toEqual(['stopped', 'open'])
    expect(log.done).toHaveLength(18)
    await worker.drain()
  })
})
