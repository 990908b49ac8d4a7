import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AskQueue, type AskQueueOptions } from '../../../../src/runtime/vlm/ask-queue.ts'
import type { PageTicket } from '../../../../src/runtime/vlm/asking/page-room.ts'
import type { QueuedAskOptions } from '../../../../src/runtime/vlm/asking/queued-ask.ts'
import type { Ask } from '../../../../src/runtime/vlm/engine.ts'
import { type FailureCode, PagestreamError } from '../../../../src/schema/failure.ts'
import { greedy } from '../../../support/vlm/asks.ts'
import { MortalEngine } from '../../../support/vlm/mortal-engine.ts'
import { SimulatedClock } from '../../../support/vlm/simulated-clock.ts'
import { type Fate, SimulatedEngine } from '../../../support/vlm/simulated-engine.ts'

const failure = (code: FailureCode) => new PagestreamError(code, 'simulated')
const askOf = (prompt: string, task = 'text'): Ask => ({ task, prompt, decoding: greedy, maxTokens: 100 })

/** A queue in front of a simulated engine, and what has become of each question. */
class Scene {
  readonly clock = new SimulatedClock()
  readonly engine: SimulatedEngine
  readonly queue: AskQueue
  readonly outcomes = new Map<string, string>()

  constructor(slots: number, fate: (ask: Ask, index: number) => Fate = () => ({ ms: 100 }), options: AskQueueOptions = {}) {
    this.engine = new SimulatedEngine(this.clock, slots, fate)
    this.queue = new AskQueue(this.engine, { clock: this.clock, random: () => 1, ...options })
  }

  ask(prompt: string, options: Partial<QueuedAskOptions> = {}): void {
    this.queue.ask(askOf(prompt), { priority: 0, ...options }).then(
      ({ text }) => this.outcomes.set(prompt, text === prompt ? 'answered' : 'wrong'),
      (error: unknown) => this.outcomes.set(prompt, error instanceof PagestreamError ? error.code : 'thrown'),
    )
  }

  askMany(count: number, options: Partial<QueuedAskOptions> = {}): void {
    for (let index = 0; index < count; index++) this.ask(`${index}`, options)
  }

  counted(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const outcome of this.outcomes.values()) counts[outcome] = (counts[outcome] ?? 0) + 1
    return counts
  }
}

describe('AskQueue', () => {
  describe('slots', () => {
    it('asks as many at once as the engine has slots, and the next as soon as one is free', async () => {
      const scene = new Scene(3, (_, index) => ({ ms: index === 0 ? 1000 : 100 }))
      scene.askMany(10)
      await scene.clock.advance(50)
      expect(scene.engine.inFlight).toBe(3)
      // The long one holds its own slot, and nothing else.
      await scene.clock.advance(500)
      expect(scene.outcomes.size).toBe(9)
      await scene.clock.advance(500)
      expect(scene.counted()).toEqual({ answered: 10 })
      expect(scene.engine.mostInFlight).toBe(3)
    })

    it('asks lower priorities first, and those of one priority as they came', async () => {
      const scene = new Scene(1)
      scene.ask('first')
      for (const [prompt, priority] of [
        ['c1', 3],
        ['a1', 1],
        ['b1', 2],
        ['a2', 1],
        ['c2', 3],
      ] as const) {
        scene.ask(prompt, { priority })
      }
      await scene.clock.advance(1000)
      expect(scene.engine.asked).toEqual(['first', 'a1', 'a2', 'b1', 'c1', 'c2'])
    })

    it('lets none wait for ever, however many of lower priority come', async () => {
      const scene = new Scene(1, () => ({ ms: 10 }))
      scene.ask('patient', { priority: 9 })
      scene.ask('also patient', { priority: 9 })
      for (let round = 0; round < 100; round++) {
        scene.ask(`urgent ${round}`, { priority: 1 })
        await scene.clock.advance(5)
      }
      expect(scene.outcomes.get('also patient')).toBe('answered')
    })

    it('follows the slots of an engine that change', async () => {
      const scene = new Scene(2)
      scene.askMany(20)
      await scene.clock.advance(50)
      scene.engine.slots = 5
      await scene.clock.advance(100)
      expect(scene.engine.inFlight).toBe(5)
      scene.engine.slots = 1
      await scene.clock.advance(100)
      expect(scene.engine.inFlight).toBe(1)
    })

    it('keeps a budget of tokens, lets smaller questions pass a large one, and asks that one in the end', async () => {
      const scene = new Scene(8, ({ task }) => ({ ms: task === 'page' ? 8000 : 100 }), { tokenBudget: 2000 })
      const order: string[] = []
      const underWay = { pages: 0, most: 0 }
      const ask = async (prompt: string, task: string) => {
        await scene.queue.ask(askOf(prompt, task), { priority: 0 })
        order.push(prompt)
      }
      // Teaches what they take: 900 tokens a page, 110 a line.
      const taught = [ask('page 0', 'page'), ask('line 0', 'line')]
      await scene.clock.advance(20_000)
      await Promise.all(taught)
      scene.engine.onAsked = ({ task }, by) => {
        if (task === 'page') underWay.pages += by
        underWay.most = Math.max(underWay.most, underWay.pages)
      }
      const pages = [1, 2, 3].map((page) => ask(`page ${page}`, 'page'))
      const lines = Array.from({ length: 2000 }, (_, line) => ask(`line ${line + 1}`, 'line'))
      await scene.clock.advance(120_000)
      await Promise.all([...pages, ...lines])
      expect(underWay.most).toBe(2)
      expect(order.indexOf('page 3')).toBeLessThan(order.indexOf('line 2000'))
    })

    it('does not ask what was given up while it waited, and asks one that is larger than the budget alone', async () => {
      const scene = new Scene(1, undefined, { tokenBudget: 10 })
      const abort = new AbortController()
      scene.ask('first')
      scene.ask('given up', { signal: abort.signal })
      scene.ask('before', { signal: AbortSignal.abort() })
      abort.abort()
      await scene.clock.advance(1000)
      expect(Object.fromEntries(scene.outcomes)).toEqual({ first: 'answered', 'given up': 'cancelled', before: 'cancelled' })
      expect(scene.engine.asked).toEqual(['first'])
    })
  })

  describe('overload', () => {
    it('halves what it asks at once when the engine is busy, once a second, and comes back one by one', async () => {
      let busy = true
      const scene = new Scene(16, () => (busy ? { ms: 10, failure: failure('engine-busy') } : { ms: 100 }))
      scene.askMany(200)
      await scene.clock.advance(20)
      expect(scene.queue.counters.slotsAllowed).toBe(8)
      busy = false
      await scene.clock.advance(700)
      expect(scene.engine.inFlight).toBeGreaterThanOrEqual(8)
      expect(scene.engine.inFlight).toBeLessThan(16)
      await scene.clock.advance(20_000)
      expect(scene.counted()).toEqual({ answered: 200 })
      scene.askMany(16)
      await scene.clock.advance(1)
      expect(scene.engine.inFlight).toBe(16)
    })

    it('gives up a question after a bounded number of refusals, with pauses that grow', async () => {
      const scene = new Scene(1, () => ({ ms: 0, failure: failure('engine-busy') }))
      scene.ask('refused')
      await scene.clock.advance(14_000)
      expect(scene.outcomes.size).toBe(0)
      await scene.clock.advance(2000)
      expect(scene.counted()).toEqual({ 'engine-busy': 1 })
      expect(scene.engine.asked).toHaveLength(5)
      expect(scene.queue.counters).toMatchObject({ asked: 5, retries: 4, failed: { 'engine-busy': 1 } })
    })

    it.each(['picture-refused', 'answer-invalid', 'engine-refused'] as const)('does not try again after %s', async (code) => {
      const scene = new Scene(1, () => ({ ms: 0, failure: failure(code) }))
      scene.ask('x')
      await scene.clock.advance(60_000)
      expect(scene.counted()).toEqual({ [code]: 1 })
      expect(scene.engine.asked).toHaveLength(1)
    })

    it('tries again once after engine-timeout', async () => {
      const scene = new Scene(1, () => ({ ms: 1000, failure: failure('engine-timeout') }))
      scene.ask('x')
      await scene.clock.advance(60_000)
      expect([scene.counted(), scene.engine.asked]).toEqual([{ 'engine-timeout': 1 }, ['x', 'x']])
    })

    it('halves what it asks at once when the engine has no memory left, and asks again', async () => {
      const scene = new Scene(16, (_, index) => (index < 16 ? { ms: 10, failure: failure('engine-memory') } : { ms: 1 }))
      scene.askMany(16)
      await scene.clock.advance(20)
      expect(scene.queue.counters.slotsAllowed).toBe(8)
      await scene.clock.advance(10_000)
      expect(scene.counted()).toEqual({ answered: 16 })
    })

    it.each(['engine-failed', 'engine-memory'] as const)('tries again twice after %s', async (code) => {
      const scene = new Scene(1, (_, index) => (index < 2 ? { ms: 0, failure: failure(code) } : { ms: 1 }))
      scene.ask('x')
      await scene.clock.advance(10_000)
      expect(scene.counted()).toEqual({ answered: 1 })
    })

    it('asks no more than the engine works on when its own figures say that questions wait in it', async () => {
      const scene = new Scene(16, () => ({ ms: 400 }))
      scene.engine.figures = { running: 8, waiting: 8 }
      scene.askMany(400)
      await scene.clock.advance(1100)
      scene.engine.figures = { running: 8, waiting: 0 }
      expect(scene.queue.counters.slotsAllowed).toBe(8)
      await scene.clock.advance(150)
      expect(scene.engine.inFlight).toBe(9)
      await scene.clock.advance(1300)
      expect(scene.queue.counters.slotsAllowed).toBeGreaterThan(8)
    })

    it('takes back only its share of what waits in an engine that others ask too', async () => {
      const scene = new Scene(10, () => ({ ms: 5000 }))
      scene.engine.figures = { running: 30, waiting: 20 }
      scene.askMany(50)
      await scene.clock.advance(1100)
      expect(scene.queue.counters.slotsAllowed).toBe(6)
    })
  })

  describe('outage', () => {
    it('stops asking, tries with one question at growing intervals, and goes on when it is back', async () => {
      let away = true
      const scene = new Scene(8, () => (away ? { ms: 1, failure: failure('engine-unreachable') } : { ms: 10 }))
      scene.askMany(50)
      await scene.clock.advance(2)
      expect(scene.engine.asked).toHaveLength(8)
      await scene.clock.advance(8000)
      expect(scene.engine.asked.length).toBeLessThan(8 + 9)
      expect(scene.outcomes.size).toBe(0)
      away = false
      await scene.clock.advance(6000)
      expect(scene.counted()).toEqual({ answered: 50 })
    })

    it('fails what waits when its patience is over, and finds out with the next question whether it is back', async () => {
      let away = true
      const scene = new Scene(4, () => (away ? { ms: 1, failure: failure('engine-unreachable') } : { ms: 10 }), { patienceMs: 10_000 })
      scene.askMany(20)
      await scene.clock.advance(9900)
      expect(scene.outcomes.size).toBe(0)
      await scene.clock.advance(200)
      expect(scene.counted()).toEqual({ 'engine-unreachable': 20 })
      scene.outcomes.clear()
      away = false
      scene.ask('later')
      await scene.clock.advance(6000)
      expect(scene.counted()).toEqual({ answered: 1 })
    })

    it('has questions that come when patience is over wait for the next try alone', async () => {
      const scene = new Scene(4, () => ({ ms: 1, failure: failure('engine-unreachable') }), { patienceMs: 30_000 })
      scene.askMany(2)
      await scene.clock.advance(31_000)
      expect(scene.outcomes.size).toBe(2)
      scene.ask('later')
      await scene.clock.advance(7000)
      expect(scene.outcomes.get('later')).toBe('engine-unreachable')
    })

    it('does not let a question that kills the engine keep the others from it', async () => {
      const scene = new Scene(2, ({ prompt }) => (prompt === 'poison' ? { ms: 5, failure: failure('engine-unreachable') } : { ms: 10 }))
      scene.ask('poison')
      scene.askMany(30)
      await scene.clock.advance(60_000)
      expect(scene.outcomes.get('poison')).toBe('engine-unreachable')
      expect(scene.counted()).toEqual({ answered: 30, 'engine-unreachable': 1 })
    })

    it('goes on with the first word of the question that tries, and not with its last', async () => {
      let away = true
      const scene = new Scene(4, () => (away ? { ms: 1, failure: failure('engine-unreachable') } : { ms: 60_000, hears: true }))
      scene.askMany(8)
      await scene.clock.advance(2000)
      away = false
      await scene.clock.advance(6000)
      expect(scene.engine.inFlight).toBe(4)
      await scene.clock.advance(150_000)
      expect(scene.counted()).toEqual({ answered: 8 })
    })

    it('fails nobody while the question that tries is under way, however slow the engine is', async () => {
      let away = true
      const scene = new Scene(2, () => (away ? { ms: 1, failure: failure('engine-unreachable') } : { ms: 60_000 }))
      scene.askMany(6)
      await scene.clock.advance(2000)
      away = false
      await scene.clock.advance(400_000)
      expect(scene.counted()).toEqual({ answered: 6 })
    })

    it('holds it against a question when the engine goes away again in the middle of its answer', async () => {
      const scene = new Scene(1, () => ({ ms: 100, failure: failure('engine-unreachable'), hears: true }))
      scene.ask('poison', { listen: () => undefined, again: () => undefined })
      await scene.clock.advance(60_000)
      expect(scene.counted()).toEqual({ 'engine-unreachable': 1 })
      expect(scene.engine.asked.length).toBeLessThan(10)
    })

    it.each([
      [0, 40],
      [5000, 40],
      [60_000, 40],
      [5000, 0],
    ])('blames a question over which the engine falls and loads for %i ms, and loses none of %i others', async (loadMs, others) => {
      const clock = new SimulatedClock()
      const engine = new MortalEngine(clock, 'poison', loadMs)
      const queue = new AskQueue(engine, { clock, random: () => 1 })
      queue.tryOutWith(askOf('known'))
      const outcomes = new Map<string, string>()
      /** Asks anew for as long as the engine is away, as the owner of a page does. */
      const persist = async (prompt: string): Promise<void> => {
        const outcome = await queue.ask(askOf(prompt), { priority: 0 }).then(
          () => 'answered',
          (error: unknown) => (error instanceof PagestreamError ? error.code : 'thrown'),
        )
        if (outcome !== 'engine-unreachable') outcomes.set(prompt, outcome)
        else clock.after(1000, () => void persist(prompt))
      }
      for (const prompt of ['poison', ...Array.from({ length: others }, (_, index) => `${index}`)]) void persist(prompt)
      await clock.advance(900_000)
      expect(outcomes.get('poison')).toBe('answer-invalid')
      outcomes.delete('poison')
      expect([...outcomes.values()]).toEqual(Array(others).fill('answered'))
      expect(engine.deaths).toBeLessThanOrEqual(8)
      await queue[Symbol.asyncDispose]()
    })

    it('lets one page in, so that somebody finds out when it is back', async () => {
      const scene = new Scene(8, () => ({ ms: 1, failure: failure('engine-unreachable') }), { patienceMs: 100 })
      scene.askMany(3)
      await scene.clock.advance(1000)
      let letIn = 0
      for (let caller = 0; caller < 5; caller++) void scene.queue.room(1).then(() => letIn++)
      await scene.clock.advance(100)
      expect(letIn).toBe(1)
    })
  })

  describe('whoever listens', () => {
    it('is told when an answer begins anew, and is not answered twice where it cannot be told', async () => {
      const fate = (_: Ask, index: number): Fate => (index < 2 ? { ms: 1, failure: failure('engine-failed'), hears: true } : { ms: 1, hears: true })
      const heard: string[] = []
      const listen = (piece: string) => void heard.push(piece) as undefined
      const told = new Scene(1, fate)
      told.ask('x', { listen, again: () => heard.push('again') })
      await told.clock.advance(10_000)
      expect(heard).toEqual(['0', 'again', '1', 'again', '2'])
      const untold = new Scene(1, fate)
      untold.ask('x', { listen })
      await untold.clock.advance(10_000)
      expect(untold.counted()).toEqual({ 'engine-failed': 1 })
    })

    it('fails its own question alone when it throws, and gives the slot back', async () => {
      const scene = new Scene(1, (_, index) => (index === 0 ? { ms: 1, failure: failure('engine-failed'), hears: true } : { ms: 1 }))
      const again = () => {
        throw new RangeError('beginning anew')
      }
      scene.ask('x', { listen: () => undefined, again })
      await scene.clock.advance(10_000)
      scene.ask('next')
      await scene.clock.advance(10_000)
      expect(Object.fromEntries(scene.outcomes)).toEqual({ x: 'thrown', next: 'answered' })
    })
  })

  describe('at its end', () => {
    it('cancels what was under way with an engine that is ended under it, and takes nothing more', async () => {
      let ended = false
      const scene = new Scene(2, () => (ended ? { ms: 1, failure: failure('internal') } : { ms: 100, failure: failure('engine-unreachable') }))
      scene.askMany(2)
      await scene.clock.advance(1)
      await scene.queue[Symbol.asyncDispose]()
      ended = true
      scene.ask('late')
      await expect(scene.queue.room(1)).rejects.toMatchObject({ code: 'cancelled' })
      await scene.clock.advance(200)
      expect(scene.counted()).toEqual({ cancelled: 3 })
      expect(scene.engine.asked).toHaveLength(2)
      expect(scene.clock.timers).toBe(0)
    })
  })

  describe('room', () => {
    const callers = (scene: Scene, count: number, page: (index: number, ticket: PageTicket) => void = () => undefined, questions = 1) => {
      const letIn = { count: 0, cancelled: 0 }
      for (let index = 0; index < count; index++) {
        scene.queue.room(questions).then(
          (ticket) => {
            letIn.count += 1
            page(index, ticket)
          },
          () => {
            letIn.cancelled += 1
          },
        )
      }
      return letIn
    }

    it('lets pages in while slots would go idle, and no more while questions wait', async () => {
      const scene = new Scene(4, () => ({ ms: 1000 }))
      // A page takes 200 ms to draw, then asks ten questions.
      const letIn = callers(scene, 50, (page, ticket) => {
        scene.clock.after(200, () => {
          for (let block = 0; block < 10; block++) scene.ask(`${page}.${block}`)
          ticket.expect(0)
        })
      })
      await scene.clock.advance(300)
      expect(letIn.count).toBe(6)
      let idle = 0
      await scene.clock.advance(60_000, () => {
        if (scene.engine.inFlight < 4) idle += 1
      })
      expect(idle).toBe(0)
      // 240 questions were answered: 24 pages, and those that are ahead.
      expect(letIn.count).toBeGreaterThan(24)
      expect(letIn.count).toBeLessThan(32)
    })

    it('counts in what pages are still to ask, and lets them in one by one', async () => {
      const scene = new Scene(4, ({ prompt }) => ({ ms: prompt.startsWith('look') ? 800 : 200 }))
      let open = 0
      let mostOpen = 0
      const letIn = callers(
        scene,
        60,
        (page, ticket) => {
          mostOpen = Math.max(mostOpen, ++open)
          scene.clock.after(100, () => {
            ticket.expect(10)
            void scene.queue.ask(askOf(`look ${page}`, 'layout'), { priority: 0 }).then(() => {
              open--
              for (let block = 0; block < 10; block++) scene.ask(`${page}.${block}`, { priority: 1 })
              ticket.expect(0)
            })
          })
        },
        11,
      )
      await scene.clock.advance(3000)
      ;[mostOpen] = [0]
      const before = scene.queue.counters.slotSeconds
      await scene.clock.advance(20_000)
      expect(scene.queue.counters.slotSeconds - before).toBeGreaterThan(0.97 * 4 * 20)
      expect(mostOpen).toBeLessThanOrEqual(3)
      expect(letIn.count).toBeLessThan(40)
    })

    it('draws a bounded number of pages at once, and forgets those that do not come back', async () => {
      const scene = new Scene(100)
      const tickets: PageTicket[] = []
      const letIn = callers(scene, 100, (_, ticket) => tickets.push(ticket), 50)
      await scene.clock.advance(1)
      expect(letIn.count).toBe(16)
      for (const ticket of tickets.splice(0)) ticket.expect(50, 2000)
      await scene.clock.advance(1)
      expect(letIn.count).toBe(16)
      await scene.clock.advance(2000)
      expect(letIn.count).toBe(32)
    })

    it('is not kept for one that has given up', async () => {
      const scene = new Scene(1, () => ({ ms: 500 }))
      scene.askMany(5)
      const abort = new AbortController()
      const gone = scene.queue.room(1, abort.signal)
      const letIn = callers(scene, 1)
      abort.abort()
      await expect(gone).rejects.toMatchObject({ code: 'cancelled' })
      await expect(scene.queue.room(1, abort.signal)).rejects.toMatchObject({ code: 'cancelled' })
      await scene.clock.advance(1600)
      expect(letIn.count).toBe(1)
    })

    it('is refused at the end, as are questions that wait', async () => {
      const scene = new Scene(1, () => ({ ms: 1_000_000 }))
      scene.askMany(20)
      const letIn = callers(scene, 3)
      await scene.clock.advance(1)
      expect(letIn.count).toBe(0)
      await scene.queue[Symbol.asyncDispose]()
      await scene.clock.advance(1)
      expect(letIn).toEqual({ count: 0, cancelled: 3 })
      expect(scene.counted()).toEqual({ cancelled: 19 })
    })
  })

  it('learns what answers take, by task', async () => {
    const scene = new Scene(4, ({ task }) => ({ ms: task === 'page' ? 5000 : 100 }))
    const ask = (task: string) => scene.queue.ask(askOf('x', task), { priority: 0 })
    const before = scene.queue.expect({ task: 'page', maxTokens: 8192 })
    const answers = [ask('page'), ask('line'), ask('page')]
    await scene.clock.advance(20_000)
    await Promise.all(answers)
    expect(before.outputTokens).toBeCloseTo(819, 0)
    expect(scene.queue.expect({ task: 'page', maxTokens: 8192 })).toMatchObject({ promptTokens: 100, outputTokens: 500 })
    expect(scene.queue.expect({ task: 'line', maxTokens: 8192 })).toMatchObject({ outputTokens: 10 })
    expect(scene.queue.expect({ task: 'page', maxTokens: 8192 }).ms).toBeGreaterThan(4000)
  })

  it('counts what was asked, what came of it and how busy the engine was', async () => {
    const scene = new Scene(2, () => ({ ms: 1000 }))
    scene.askMany(4)
    await scene.clock.advance(500)
    expect(scene.queue.counters).toMatchObject({ slots: 2, slotsAllowed: 2, slotsUsed: 2, waiting: 2, asked: 2 })
    await scene.clock.advance(9500)
    await scene.queue[Symbol.asyncDispose]()
    expect(scene.queue.counters).toMatchObject({
      ...{ asked: 4, answered: { stop: 4, length: 0, stopped: 0 }, failed: {}, retries: 0, promptTokens: 400, outputTokens: 400 },
      ...{ busySeconds: 2, slotSeconds: 4, slotsUsed: 0, waiting: 0 },
    })
    expect(scene.queue.counters.firstTokenSeconds.sum).toBeCloseTo(0.004)
    expect(scene.queue.counters.answerSeconds.sum).toBeCloseTo(4)
  })

  it('counts tokens of pictures as part of the prompt, never more than the engine counts for all of it', async () => {
    const scene = new Scene(2, () => ({ ms: 100 }), { imageTokens: (width, height) => width * height })
    const picture = (width: number) => ({ bytes: new Uint8Array(), mediaType: 'image/png' as const, width, height: 2 })
    const answers = [askOf('text'), { ...askOf('small'), picture: picture(20) }, { ...askOf('large'), picture: picture(1000) }].map((ask) =>
      scene.queue.ask(ask, { priority: 0 }),
    )
    await scene.clock.advance(1000)
    await Promise.all(answers)
    expect(scene.queue.counters).toMatchObject({ promptTokens: 300, imageTokens: 140 })
    await scene.queue[Symbol.asyncDispose]()
  })

  it('keeps its promises whatever comes: slots, order, no idle slot while one waits, an outcome for each', async () => {
    const codes = [
      'engine-busy',
      'engine-failed',
      'engine-unreachable',
      'engine-timeout',
      'picture-refused',
      undefined,
      undefined,
      undefined,
      undefined,
    ] as const
    const arrival = fc.record({
      afterMs: fc.integer({ min: 0, max: 300 }),
      priority: fc.integer({ min: 0, max: 3 }),
      ms: fc.integer({ min: 1, max: 2000 }),
      code: fc.constantFrom(...codes),
      givesUpAfter: fc.option(fc.integer({ min: 0, max: 3000 }), { freq: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(arrival, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (arrivals, slots, luck) => {
          const failed = new Set<string>()
          const scene = new Scene(
            slots,
            ({ prompt }) => {
              const { ms = 1, code } = arrivals[Number(prompt)] ?? {}
              if (code === undefined || failed.has(prompt)) return { ms }
              failed.add(prompt)
              return { ms, failure: failure(code) }
            },
            { random: () => luck },
          )
          const check = () => {
            const { slotsAllowed, waiting, slotsUsed } = scene.queue.counters
            expect(scene.engine.inFlight).toBeLessThanOrEqual(slots)
            expect(slotsUsed).toBe(scene.engine.inFlight)
            expect(slotsAllowed).toBeGreaterThanOrEqual(1)
            expect(waiting).toBeLessThanOrEqual(arrivals.length)
          }
          for (const [index, { afterMs, priority, givesUpAfter }] of arrivals.entries()) {
            const abort = new AbortController()
            if (givesUpAfter !== null) scene.clock.after(givesUpAfter, () => abort.abort())
            scene.ask(`${index}`, { priority, signal: abort.signal })
            await scene.clock.advance(afterMs, check)
          }
          await scene.clock.advance(600_000, check)
          expect(scene.outcomes.size).toBe(arrivals.length)
          expect(scene.counted().wrong ?? 0).toBe(0)
          for (const [index, { code, givesUpAfter }] of arrivals.entries()) {
            if (givesUpAfter === null && code === undefined) expect(scene.outcomes.get(`${index}`)).toBe('answered')
          }
          expect(scene.engine.inFlight).toBe(0)
          expect(scene.clock.timers).toBe(0)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('asks in order and leaves no slot idle while nothing fails', async () => {
    const arrival = fc.record({ afterMs: fc.integer({ min: 0, max: 50 }), priority: fc.integer({ min: 0, max: 2 }), ms: fc.integer({ min: 1, max: 500 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(arrival, { minLength: 1, maxLength: 80 }), fc.integer({ min: 1, max: 6 }), async (arrivals, slots) => {
        const scene = new Scene(slots, ({ prompt }) => ({ ms: arrivals[Number(prompt)]?.ms ?? 1 }))
        for (const [index, { afterMs, priority }] of arrivals.entries()) {
          scene.ask(`${index}`, { priority })
          await scene.clock.advance(afterMs, () => {
            if (scene.queue.counters.waiting > 0) expect(scene.engine.inFlight).toBe(slots)
          })
        }
        await scene.clock.advance(100_000)
        for (const priority of [0, 1, 2]) {
          const asked = scene.engine.asked.map(Number).filter((index) => arrivals[index]?.priority === priority)
          expect(asked).toEqual([...asked].sort((a, b) => a - b))
        }
      }),
      { numRuns: 60 },
    )
  })
})
