import { doneKey } from '../consumers/chain/keys.ts'
import type { BlobStore, StoredObject } from '../store/blob-store.ts'
import { passingPrefix, StoreArtifacts } from '../store/store-artifacts.ts'

export interface Collected {
  /** Values of pages on their way. */
  passing: number
  /** Page results of documents that are done: their outputs hold what was in them. */
  results: number
  /** What killed writers have left. */
  drafts: number
  /** Of values and results; the size of drafts is not known. */
  bytes: number
}

const deletesAtOnce = 16

/** Deletes what nobody needs any more and is older than a time. Only a page that has been on its way since before then misses its values. */
export async function collectGarbage(store: BlobStore, beforeMs: number, dryRun: boolean): Promise<Collected> {
  const collected: Collected = { passing: 0, results: 0, drafts: 0, bytes: 0 }
  const sweep = async (kind: 'passing' | 'results', objects: AsyncIterable<StoredObject>): Promise<void> => {
    let batch: Promise<void>[] = []
    for await (const { key, bytes, modifiedMs } of objects) {
      if (modifiedMs >= beforeMs) continue
      collected[kind]++
      collected.bytes += bytes
      if (dryRun) continue
      batch.push(store.delete(key))
      if (batch.length === deletesAtOnce) {
        await Promise.all(batch)
        batch = []
      }
    }
    await Promise.all(batch)
  }
  await sweep('passing', store.objects(passingPrefix))
  await sweep('results', resultsOfDone(store))
  collected.drafts = await store.deleteDrafts(beforeMs, dryRun)
  return collected
}

/** Results lie by document and revision, one beside the other: each document is asked for once. */
async function* resultsOfDone(store: BlobStore): AsyncIterable<StoredObject> {
  const artifacts = new StoreArtifacts(store)
  let asked = ''
  let done = false
  for await (const object of store.objects('results/')) {
    const [, documentId, revision] = /^results\/(.+)-([^-/]+)\/[^/]+$/.exec(object.key) ?? []
    if (documentId === undefined || revision === undefined) continue
    const key = doneKey(documentId, revision)
    if (key !== asked) {
      asked = key
      done = (await artifacts.find(key, 'lasting')) !== undefined
    }
    if (done) yield object
  }
}

/** Rules by which a bucket does the same for `tmp/` by itself, as `put-bucket-lifecycle-configuration` takes them. */
export function expiryRules(storeUrl: string, days: number): object {
  const prefix = decodeURIComponent(new URL(storeUrl).pathname).replace(/^\/+|\/+$/g, '')
  const below = prefix === '' ? '' : `${prefix}/`
  return {
    Rules: [
      { ID: 'pagestream-passing', Status: 'Enabled', Filter: { Prefix: `${below}${passingPrefix}` }, Expiration: { Days: days } },
      { ID: 'pagestream-uploads', Status: 'Enabled', Filter: { Prefix: below }, AbortIncompleteMultipartUpload: { DaysAfterInitiation: days } },
    ],
  }
}
