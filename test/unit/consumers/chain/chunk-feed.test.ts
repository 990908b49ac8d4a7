import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Bus } from '../../../../src/consumers/bus.ts'
import { ChunkFeed } from '../../../../src/consumers/chain/chunk-feed.ts'
import { chunkStateKey } from '../../../../src/consumers/chain/keys.ts'
import type { Chunk } from '../../../../src/schema/chunk.ts'
import { MemoryBlobStore } from '../../../../src/store/memory-blob-store.ts'
import { StoreArtifacts } from '../../../../src/store/store-artifacts.ts'

type Texts = Readonly<Record<string, string>>

const chunk = (id: string, text: string, revision: string): Chunk => ({
  ...{ id, documentId: 'd', revision, index: 0, text, markdown: text, headings: [], pages: [0], places: [], blocks: [], kinds: ['text'], tokens: 1 },
})

/** A store and a compacted topic that answer in any order; `turns` says how long each waits. */
function cluster(turns: () => number) {
  const wait = async () => {
    for (let left = turns(); left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
  }
  const memory = new MemoryBlobStore()
  const store = new Proxy(memory, {
    get(target, name) {
      const own = Reflect.get(target, name)
      if (typeof own !== 'function') return own
      if (name === 'list') return own.bind(target)
      return async (...args: unknown[]) => {
        await wait()
        const answer = await own.apply(target, args)
        await wait()
        return answer
      }
    },
  })
  const readers = new Map<string, string>()
  const counts = { sent: 0 }
  /** Dies, as its process does, at that publication. */
  const feed = async (revision: string, texts: Texts, diesAt = Number.POSITIVE_INFINITY): Promise<void> => {
    let published = 0
    const bus: Bus = {
      wanted: () => true,
      async publish(records) {
        for (const { key, payload } of records) {
          await wait()
          if (published++ === diesAt) throw new Error('killed')
          counts.sent++
          if (payload === null) readers.delete(key)
          else readers.set(key, (payload as Chunk).text)
        }
      },
      close: async () => {},
      subscribe: () => Promise.reject(new Error('not here')),
    }
    const feeding = new ChunkFeed({ documentId: 'd', revision, artifacts: new StoreArtifacts(store), bus, cause: {} })
    for (const [id, text] of Object.entries(texts)) {
      await wait()
      feeding.add(chunk(id, text, revision))
    }
    await feeding.close()
  }
  const told = async () => {
    const { value } = await new StoreArtifacts(memory).versions<{ revision: string }>(chunkStateKey('d')).read()
    return value?.revision
  }
  return { feed, readers, counts, told, memory }
}

const have = (readers: ReadonlyMap<string, string>): Texts => Object.fromEntries(readers)

it('sends what changed alone, and takes back what is gone', async () => {
  const { feed, readers, counts, memory } = cluster(() => 0)
  await feed('1', { a: 'A', b: 'B', c: 'C' })
  expect(counts.sent).toBe(3)
  await feed('2', { a: 'A', b: 'new', d: 'D' })
  expect(have(readers)).toEqual({ a: 'A', b: 'new', d: 'D' })
  expect(counts.sent).toBe(6)
  await feed('3', { a: 'A', b: 'new', d: 'D' })
  expect(counts.sent).toBe(6)
  const kept: string[] = []
  for await (const key of memory.list('chunks/')) kept.push(key)
  expect(kept).toHaveLength(1)
})

const texts = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.constantFrom('x', 'y', 'z'))
const turns = fc.infiniteStream(fc.nat(4))

it('leaves readers exactly one of the revisions that are told at the same time, in whatever order their steps come', async () => {
  const property = fc.asyncProperty(texts, fc.array(texts, { minLength: 2, maxLength: 3 }), turns, async (before, revisions, stream) => {
    const { feed, readers, told } = cluster(() => stream.next().value ?? 0)
    await feed('before', before)
    await Promise.all(revisions.map((each, i) => feed(`${i}`, each)))
    const last = await told()
    const same = [before, ...revisions].filter((each) => JSON.stringify(sorted(each)) === JSON.stringify(sorted(have(readers))))
    expect(same.length).toBeGreaterThan(0)
    if (last !== undefined && last !== 'before') expect(sorted(have(readers))).toEqual(sorted(revisions[Number(last)] ?? {}))
  })
  await fc.assert(property, { numRuns: 300, seed: 1 })
}, 60_000)

it('leaves no chunk behind of a revision that died on the way and never came again', async () => {
  const property = fc.asyncProperty(texts, texts, texts, texts, fc.nat(6), turns, async (before, dying, then, next, diesAt, stream) => {
    const { feed, readers } = cluster(() => stream.next().value ?? 0)
    await feed('before', before)
    await feed('dying', dying, diesAt).catch(() => undefined)
    await feed('then', then)
    expect(sorted(have(readers))).toEqual(sorted(then))
    await feed('next', next)
    expect(sorted(have(readers))).toEqual(sorted(next))
  })
  await fc.assert(property, { numRuns: 200, seed: 2 })
}, 60_000)

it('leaves readers one revision when one died while another was told, and came again', async () => {
  const property = fc.asyncProperty(texts, texts, texts, fc.nat(6), turns, async (before, dying, next, diesAt, stream) => {
    const { feed, readers } = cluster(() => stream.next().value ?? 0)
    await feed('before', before)
    await Promise.allSettled([feed('dying', dying, diesAt), feed('meanwhile', before)])
    await feed('dying', dying)
    await feed('next', next)
    expect(sorted(have(readers))).toEqual(sorted(next))
  })
  await fc.assert(property, { numRuns: 200, seed: 3 })
}, 60_000)

const sorted = (given: Texts): Texts => Object.fromEntries(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)))
