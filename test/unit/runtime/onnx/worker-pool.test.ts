import { afterEach, describe, expect, it } from 'vitest'
import { WorkerPool } from '../../../../src/runtime/onnx/worker-pool.ts'

interface Request {
  readonly do: 'echo' | 'die' | 'fail' | 'block'
  readonly value?: number
  readonly ms?: number
}
interface Reply {
  readonly threadId: number
  readonly value?: number
}

let pool: WorkerPool<Request, Reply>
const open = (workers: number, startCostMs = 50, maxWaiting = 100) => {
  pool = new WorkerPool<Request, Reply>({
    entry: new URL('../../../support/pool-worker.mjs', import.meta.url),
    workerData: {},
    workers,
    startCostMs,
    maxWaiting,
  })
  return pool
}
afterEach(() => pool[Symbol.asyncDispose]())

const job = { priority: 1, costMs: 10 }

describe('the worker pool', () => {
  it('starts nothing before the first job, and a second worker only for work that is worth its start', async () => {
    open(4, 100)
    expect(pool.size).toBe(0)
    await Promise.all([pool.run({ do: 'echo' }, job), pool.run({ do: 'echo' }, job)])
    expect(pool.size).toBe(1)
    await Promise.all(Array.from({ length: 8 }, () => pool.run({ do: 'block', ms: 5 }, { priority: 1, costMs: 60 })))
    expect(pool.size).toBeGreaterThan(1)
    expect(pool.size).toBeLessThanOrEqual(4)
  })

  it('takes urgent jobs first and keeps the order within one urgency', async () => {
    open(1)
    const order: number[] = []
    const run = (value: number, priority: number) => pool.run({ do: 'echo', value }, { priority, costMs: 1 }).then(() => order.push(value))
    await Promise.all([pool.run({ do: 'block', ms: 50 }, job), run(1, 2), run(2, 2), run(3, 1)])
    expect(order).toEqual([3, 1, 2])
  })

  it('fails the one job of a worker that dies and goes on with a new worker', async () => {
    open(1)
    const dying = pool.run({ do: 'die' }, job)
    const next = pool.run({ do: 'echo', value: 7 }, job)
    await expect(dying).rejects.toMatchObject({ code: 'model-failed' })
    expect((await next).value).toBe(7)
  })

  it('hands an exception of the worker to the caller and keeps the worker', async () => {
    open(1)
    const { threadId } = await pool.run({ do: 'echo' }, job)
    await expect(pool.run({ do: 'fail' }, job)).rejects.toMatchObject({ code: 'model-failed', message: expect.stringContaining('no such model') })
    expect((await pool.run({ do: 'echo' }, job)).threadId).toBe(threadId)
  })

  it('takes an aborted job out of the queue at once', async () => {
    open(1)
    const running = pool.run({ do: 'block', ms: 100, value: 1 }, job)
    const controller = new AbortController()
    const waiting = pool.run({ do: 'echo' }, { ...job, signal: controller.signal })
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
    expect((await running).value).toBe(1)
    await expect(pool.run({ do: 'echo' }, { ...job, signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('refuses more waiting jobs than its bound', async () => {
    open(1, 1e9, 2)
    const held = [pool.run({ do: 'block', ms: 30 }, job), pool.run({ do: 'echo' }, job), pool.run({ do: 'echo' }, job)]
    await expect(pool.run({ do: 'echo' }, job)).rejects.toMatchObject({ code: 'model-failed' })
    await Promise.all(held)
  })

  it('cancels what waits and lets what runs end when it is stopped', async () => {
    open(1)
    const running = pool.run({ do: 'block', ms: 300 }, job)
    const waiting = pool.run({ do: 'echo' }, job)
    const settled = Promise.allSettled([running, waiting])
    await pool[Symbol.asyncDispose]()
    expect(await settled).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'cancelled' } }])
    await expect(pool.run({ do: 'echo' }, job)).rejects.toMatchObject({ code: 'cancelled' })
  })
})
