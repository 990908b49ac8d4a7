import { describe, expect, it } from 'vitest'
import { PagestreamError } from '../../../src/schema/failure.ts'
import { MemoryBlobStore } from '../../../src/store/memory-blob-store.ts'
import { meteredStore } from '../../../src/store/metered-store.ts'
import { StoreCounters } from '../../../src/telemetry/store-counters.ts'

describe('a metered store', () => {
  it('counts calls that were answered, failed, and asked for what is not there', async () => {
    const counters = new StoreCounters()
    const bare = new MemoryBlobStore()
    const store = meteredStore(bare, counters)
    await store.put('a/b', new Uint8Array(3))
    await store.putIfAbsent('a/b', new Uint8Array(3))
    await store.get('a/b')
    await expect(store.get('a/c')).rejects.toMatchObject({ code: 'artifact-missing' })
    const keys: string[] = []
    for await (const key of store.list('a/')) keys.push(key)
    expect(keys).toEqual(['a/b'])
    bare.has = () => Promise.reject(new PagestreamError('store-failed', 'asking: it is away'))
    await expect(store.has('a/b')).rejects.toMatchObject({ code: 'store-failed' })
    const { get, put, has, list } = counters.seconds
    expect([get.count, put.count, has.count, list.count]).toEqual([1, 2, 0, 1])
    expect(counters.failures).toEqual({ get: 0, put: 0, has: 1, list: 0, delete: 0 })
    expect(counters.misses).toBe(1)
  })
})
