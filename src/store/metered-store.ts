import { PagestreamError } from '../schema/failure.ts'
import type { StoreCounters, StoreOperation } from '../telemetry/store-counters.ts'
import type { BlobStore } from './blob-store.ts'

/** A store whose calls are counted and timed. Lists are timed until their first key, or their end. */
export function meteredStore(store: BlobStore, counters: StoreCounters): BlobStore {
  const timed = <T>(operation: StoreOperation, call: () => Promise<T>): Promise<T> => meter(counters, operation, call)
  return {
    put: (key, bytes) => timed('put', () => store.put(key, bytes)),
    putIfAbsent: (key, bytes) => timed('put', () => store.putIfAbsent(key, bytes)),
    putFile: (key, path, sha256) => timed('put', () => store.putFile(key, path, sha256)),
    get: (key) => timed('get', () => store.get(key)),
    getToFile: (key, path, maxBytes) => timed('get', () => store.getToFile(key, path, maxBytes)),
    has: (key) => timed('has', () => store.has(key)),
    delete: (key) => timed('delete', () => store.delete(key)),
    deleteAll: (prefix) => timed('delete', () => store.deleteAll(prefix)),
    deleteDrafts: (beforeMs, dryRun) => timed('delete', () => store.deleteDrafts(beforeMs, dryRun)),
    list: (prefix) => listed(store.list(prefix), timed),
    objects: (prefix, after) => listed(store.objects(prefix, after), timed),
  }
}

async function meter<T>(counters: StoreCounters, operation: StoreOperation, call: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    const answer = await call()
    counters.seconds[operation].observe((performance.now() - startedAt) / 1000)
    return answer
  } catch (error) {
    if (error instanceof PagestreamError && error.code === 'artifact-missing') counters.misses++
    else counters.failures[operation]++
    throw error
  }
}

async function* listed<T>(items: AsyncIterable<T>, timed: <R>(operation: 'list', call: () => Promise<R>) => Promise<R>): AsyncIterable<T> {
  const iterator = items[Symbol.asyncIterator]()
  try {
    for (let next = await timed('list', () => iterator.next()); !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}
