import { afterEach, describe, expect, it } from 'vitest'
import { type PdfThread, startPdfThread } from '../../../../../src/runtime/documents/pdf/pdf-thread.ts'
import { PdfWorkerPool, type PoolOptions } from '../../../../../src/runtime/documents/pdf/worker-pool.ts'

const support = (name: string): URL => new URL(`../../../../support/${name}`, import.meta.url)

const park = ({ thread }: PdfThread): void => void thread.terminate()

const pools: PdfWorkerPool[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

function fakePool(options: Partial<PoolOptions> = {}): PdfWorkerPool {
  const pool = new PdfWorkerPool({
    workers: 2,
    settings: { limits: { maxRenderPixels: 1, maxPagePoints: 1, dpi: 1 }, engineMemoryBytes: 1, openDocuments: 4 },
    timeoutMs: 60_000,
    recyclePages: 1000,
    recycleBytes: 1e8,
    threads: { take: () => startPdfThread(support('fake-pdf-worker.mjs'), async () => ({})), park },
    ...options,
  })
  pools.push(pool)
  return pool
}

interface Answer {
  readonly thread: number
  readonly page: number
}

let key = 1
const source = (path: string) => ({ key: key++, path })
const page = (pool: PdfWorkerPool, of: { key: number; path: string }, pageIndex: number): Promise<Answer> =>
  pool.run<'text-layer'>(of, { kind: 'text-layer', pageIndex, sizeOnly: false }) as unknown as Promise<Answer>

/** The outcome of pages 1 to 8: page number or failure code. */
async function outcomes(pool: PdfWorkerPool, path: string): Promise<unknown[]> {
  const document = source(path)
  const results = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => page(pool, document, i)))
  return results.map((result) => (result.status === 'fulfilled' ? result.value.page : result.reason.code))
}

describe('PdfWorkerPool', () => {
  it.each([
    ['loops', 'page-timeout'],
    ['throws', 'page-crashed'],
    ['exits', 'page-crashed'],
    ['traps', 'page-crashed'],
    ['refuses', 'page-corrupt'],
  ])('loses only the page on which a worker %s', async (path, code) => {
    const pool = fakePool(code === 'page-timeout' ? { timeoutMs: 3000 } : {})
    expect(await outcomes(pool, path)).toEqual([0, 1, 2, code, 4, 5, 6, 7])
  })

  it('leaves the pages of other documents alone when a worker dies', async () => {
    const pool = fakePool({ workers: 1 })
    const [bad, good] = await Promise.all([outcomes(pool, 'exits'), outcomes(pool, 'fine')])
    expect(bad[3]).toBe('page-crashed')
    expect(good).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('spreads a document with many waiting pages over its workers', async () => {
    const pool = fakePool()
    const document = source('slow')
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => page(pool, document, i)))
    expect(new Set(answers.map((a) => a.thread)).size).toBe(2)
  })

  it('keeps a document of one page to one worker', async () => {
    const pool = fakePool()
    const document = source('slow')
    await pool.run(document, { kind: 'info' })
    const first = await page(pool, document, 0)
    const second = await page(pool, document, 1)
    expect(second.thread).toBe(first.thread)
  })

  it('renews a worker after its share of pages', async () => {
    const pool = fakePool({ workers: 1, recyclePages: 5 })
    const document = source('fine')
    const threads = new Set<number>()
    for (let i = 10; i < 22; i++) threads.add((await page(pool, document, i)).thread)
    expect(threads.size).toBe(3)
  })

  it('renews a worker whose memory has grown, but not for every page', async () => {
    const pool = fakePool({ workers: 1, recycleBytes: 1000 })
    const document = source('hungry')
    const threads = new Set<number>()
    for (let i = 0; i < 80; i++) threads.add((await page(pool, document, 10 + (i % 50))).thread)
    expect(threads.size).toBe(2)
  })

  it('rejects what waits and runs when it is closed', async () => {
    const pool = fakePool({ workers: 1 })
    const document = source('slow')
    const running = Array.from({ length: 5 }, (_, i) => page(pool, document, i))
    const settled = Promise.allSettled(running)
    await pool.close()
    for (const result of await settled) expect(result).toMatchObject({ status: 'rejected', reason: { code: 'cancelled' } })
    await expect(page(pool, document, 1)).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('gives its idle thread back when it is closed, and serves the next pool with it', async () => {
    const kept: PdfThread[] = []
    const threads = {
      take: () => kept.pop() ?? startPdfThread(support('fake-pdf-worker.mjs'), async () => ({})),
      park: (thread: PdfThread) => void kept.push(thread),
    }
    const pool = fakePool({ workers: 1, threads })
    const first = await page(pool, source('fine'), 0)
    await pool.close()
    expect(kept).toHaveLength(1)
    const next = fakePool({ workers: 1, threads })
    expect(await page(next, source('fine'), 0)).toEqual(first)
    expect(kept[0]?.thread.listenerCount('message') ?? 0).toBe(0)
    await Promise.all(kept.map(({ thread }) => thread.terminate()))
  })

  it('ends a thread that is at work when it is closed', async () => {
    const kept: PdfThread[] = []
    const pool = fakePool({
      workers: 1,
      threads: { take: () => startPdfThread(support('fake-pdf-worker.mjs'), async () => ({})), park: (thread) => void kept.push(thread) },
    })
    const running = Promise.allSettled([page(pool, source('slow'), 0)])
    await pool.close()
    await running
    expect(kept).toEqual([])
  })

  it('fails what waits when the engine cannot be loaded', async () => {
    const pool = fakePool({
      threads: {
        take: () =>
          startPdfThread(support('idle-worker.mjs'), async () => {
            throw new Error('no such module')
          }),
        park,
      },
    })
    await expect(pool.run(source('fine'), { kind: 'info' })).rejects.toMatchObject({ code: 'internal' })
  })
})
