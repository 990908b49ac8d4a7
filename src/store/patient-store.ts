import { setTimeout as sleep } from 'node:timers/promises'
import { PagestreamError } from '../schema/failure.ts'
import type { BlobStore } from './blob-store.ts'

const tries = 6
const longestPauseMs = 2000

/**
 * A shared store that fails now and then: each call is made again for a few seconds before it counts as failed. All calls may be:
 * who has written an object without being told so finds that somebody was first, and reads what he wrote.
 */
export function patientStore(store: BlobStore): BlobStore {
  return {
    put: (key, bytes) => patiently(() => store.put(key, bytes)),
    putIfAbsent: (key, bytes) => patiently(() => store.putIfAbsent(key, bytes)),
    putFile: (key, path, sha256) => patiently(() => store.putFile(key, path, sha256)),
    getToFile: (key, path, maxBytes) => patiently(() => store.getToFile(key, path, maxBytes)),
    deleteDrafts: (beforeMs, dryRun) => patiently(() => store.deleteDrafts(beforeMs, dryRun)),
    get: (key) => patiently(() => store.get(key)),
    has: (key) => patiently(() => store.has(key)),
    delete: (key) => patiently(() => store.delete(key)),
    deleteAll: (prefix) => patiently(() => store.deleteAll(prefix)),
    list: (prefix) =>
      listed(
        () => store.list(prefix),
        (key) => key,
      ),
    objects: (prefix, after) =>
      listed(
        (last) => store.objects(prefix, last ?? after),
        ({ key }) => key,
      ),
  }
}

async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let made = 1; ; made++) {
    try {
      return await call()
    } catch (error) {
      if (!isStoreFailure(error) || made >= tries) throw error
      await pause(made)
    }
  }
}

/** Keys ascend: after a failure the list goes on behind the last key that was handed out. */
async function* listed<T>(list: (last?: string) => AsyncIterable<T>, keyOf: (item: T) => string): AsyncIterable<T> {
  let last: string | undefined
  for (let made = 1; ; made++) {
    try {
      for await (const item of list(last)) {
        const key = keyOf(item)
        if (last !== undefined && key <= last) continue
        last = key
        made = 1
        yield item
      }
      return
    } catch (error) {
      if (!isStoreFailure(error) || made >= tries) throw error
      await pause(made)
    }
  }
}

const isStoreFailure = (error: unknown): boolean => error instanceof PagestreamError && error.code === 'store-failed'

/** Half of it random, so that workers do not come back in step. */
const pause = (made: number): Promise<void> => sleep(Math.min(longestPauseMs, 50 * 2 ** made) * (0.5 + Math.random() / 2))
