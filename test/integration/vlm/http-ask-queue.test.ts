import { afterEach, describe, expect, it } from 'vitest'
import { AskQueue } from '../../../src/runtime/vlm/ask-queue.ts'
import { dialectFor } from '../../../src/runtime/vlm/engines/http/dialects/dialect-for.ts'
import { HttpEngine } from '../../../src/runtime/vlm/engines/http/http-engine.ts'
import { ReplicaSet } from '../../../src/runtime/vlm/engines/http/replica-set.ts'
import { askOf, plainPicture } from '../../support/vlm/asks.ts'
import { quickStub, type StubOptions } from '../../support/vlm/stub-options.ts'
import { StubServer } from '../../support/vlm/stub-server.ts'

const times = { timeoutMs: 20_000, silenceMs: 5000, startMs: 5000, absentMs: 0 }
const script: StubOptions['script'] = ({ prompt }) => `${prompt} ${'and so on '.repeat(20)}`
const picture = plainPicture()

describe('a queue in front of servers', () => {
  const open: AsyncDisposable[] = []

  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
  })

  const startStub = async (options: Partial<StubOptions> = {}, port = 0): Promise<StubServer> => {
    const stub = await StubServer.start({ ...quickStub, script, ...options }, { port })
    open.push(stub)
    return stub
  }

  const engineOn = (stub: StubServer, slots = 4): HttpEngine =>
    new HttpEngine({ url: stub.url, dialect: dialectFor('mineru2.5', 'vllm'), model: '', apiKeyFile: '', slots, ...times })

  const queueOf = async (engine: HttpEngine | ReplicaSet): Promise<AskQueue> => {
    await engine.start()
    const queue = new AskQueue(engine)
    open.push(engine, queue)
    return queue
  }

  /** Questions with answers of their own, and how many were answered rightly. */
  const askMany = async (queue: AskQueue, count: number): Promise<number> => {
    const asked = Array.from({ length: count }, async (_, index) => {
      const { text } = await queue.ask(askOf(`question ${index}`, { picture }), { priority: index % 3 })
      return text.startsWith(`question ${index} and so on`)
    })
    return (await Promise.all(asked)).filter((isRight) => isRight).length
  }

  it('keeps all slots of the server in use, and never asks more than it has', async () => {
    const stub = await startStub()
    const queue = await queueOf(engineOn(stub))
    const begun = performance.now()
    expect(await askMany(queue, 100)).toBe(100)
    const seconds = (performance.now() - begun) / 1000
    expect(stub.mostRunning).toBe(4)
    expect(stub.asked).toBe(100)
    expect(queue.counters).toMatchObject({ asked: 100, retries: 0, slots: 4, slotsUsed: 0, waiting: 0 })
    expect(queue.counters.slotSeconds).toBeLessThanOrEqual(seconds * 4)
    expect(queue.counters.outputTokens).toBe(stub.counts.outputTokens)
    expect(queue.counters.promptTokens).toBe(stub.counts.promptTokens)
  })

  it('loses no question when the server dies in the middle and comes back', async () => {
    const first = await startStub({ decodeTokensPerSecond: 2000 })
    const queue = await queueOf(engineOn(first))
    const asked = askMany(queue, 60)
    await expect.poll(() => first.counts.answered).toBeGreaterThan(10)
    await first[Symbol.asyncDispose]()
    await new Promise((resolve) => setTimeout(resolve, 400))
    const second = await startStub({ decodeTokensPerSecond: 2000 }, first.port)
    expect(await asked).toBe(60)
    expect(first.counts.answered + second.counts.answered).toBeGreaterThanOrEqual(60)
    expect(queue.counters.failed).toEqual({})
  })

  it('goes on with one of two servers when the other dies, and with both when it is back', async () => {
    const [first, second] = [await startStub({ decodeTokensPerSecond: 1000 }), await startStub({ decodeTokensPerSecond: 1000 })]
    const queue = await queueOf(new ReplicaSet([engineOn(first, 2), engineOn(second, 2)]))
    const asked = askMany(queue, 80)
    await expect.poll(() => Math.min(first.counts.answered, second.counts.answered)).toBeGreaterThan(3)
    await first[Symbol.asyncDispose]()
    const answered = second.counts.answered
    await expect.poll(() => second.counts.answered).toBeGreaterThan(answered + 10)
    const again = await startStub({ decodeTokensPerSecond: 1000 }, first.port)
    expect(await asked).toBe(80)
    expect(queue.counters.failed).toEqual({})
    expect(await askMany(queue, 20)).toBe(20)
    expect(again.asked).toBeGreaterThan(0)
  })

  it('gets through a server that refuses and breaks now and then', async () => {
    const faults = [429, 503, 500, 502]
    const stub = await startStub({
      fault: ({ index }) => (index % 9 === 4 ? { kind: 'status', status: faults[((index / 9) % faults.length) | 0] ?? 500 } : undefined),
    })
    const queue = await queueOf(engineOn(stub))
    expect(await askMany(queue, 60)).toBe(60)
    expect(queue.counters.retries).toBeGreaterThan(3)
  })

  it('asks a server that has fewer slots than it was told no more than it works on', async () => {
    const stub = await startStub({ slots: 3, decodeTokensPerSecond: 100 })
    const queue = await queueOf(engineOn(stub, 12))
    const asked = askMany(queue, 40)
    await expect.poll(() => stub.waiting, { timeout: 5000 }).toBe(9)
    await expect.poll(() => queue.counters.slotsAllowed, { timeout: 5000 }).toBeLessThanOrEqual(4)
    await expect.poll(() => stub.waiting, { timeout: 5000 }).toBeLessThanOrEqual(1)
    expect(await asked).toBe(40)
  })
})
