import { expect, it } from 'vitest'
import { storeStatus } from '../../../src/operations/status.ts'
import { MemoryBlobStore } from '../../../src/store/memory-blob-store.ts'
import { StoreArtifacts } from '../../../src/store/store-artifacts.ts'

/** A store that counts what is asked of it. */
class CountingStore extends MemoryBlobStore {
  asked = 0
  listed = 0

  override async has(key: string): Promise<boolean> {
    this.asked++
    return super.has(key)
  }

  override async *list(prefix: string): AsyncIterable<string> {
    for await (const key of super.list(prefix)) {
      this.listed++
      yield key
    }
  }
}

async function storeOf(documents: number): Promise<CountingStore> {
  const store = new CountingStore()
  const artifacts = new StoreArtifacts(store)
  for (let i = 0; i < documents; i++) {
    const id = `document/${i % 2 ? 'a-' : 'a'}${i}`
    await artifacts.put(`opened/${id}/r`, { pages: [] }, 'passing')
    if (i % 3 < 2) await artifacts.put(`unfinished/${id}/r`, { status: 'partial', source: { name: 'one.pdf' } }, 'passing')
    if (i % 3 === 0) await artifacts.put(`done/${id}/r`, { status: 'complete' }, 'lasting')
  }
  store.asked = 0
  store.listed = 0
  return store
}

it('counts each document once, by the last of its marks, and asks for none', async () => {
  const store = await storeOf(300)
  expect(await storeStatus(store, { told: 0, scan: 1000 })).toEqual({ complete: 100, unfinished: 100, underWay: 100, more: false, told: [] })
  expect(store.asked).toBe(0)
})

it('looks at no more documents than it is told to, and says that there are more', async () => {
  const store = await storeOf(300)
  const seen: number[] = []
  const { complete, unfinished, underWay, more } = await storeStatus(store, { told: 0, scan: 60, progress: (looked) => seen.push(looked) })
  expect([complete + unfinished + underWay, more, seen.length]).toEqual([60, true, 60])
  expect(store.listed).toBeLessThan(200)
})

it('tells some of those that have not ended well, with their names', async () => {
  const { told } = await storeStatus(await storeOf(30), { told: 4, scan: 1000 })
  expect(told.map(({ state, documentId }) => [state, documentId.startsWith('document/')])).toEqual(Array.from({ length: 4 }, () => [expect.any(String), true]))
  expect(told.some(({ name }) => name === 'one.pdf')).toBe(true)
})
