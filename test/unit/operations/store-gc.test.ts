import { expect, it } from 'vitest'
import { collectGarbage, expiryRules } from '../../../src/operations/store-gc.ts'
import { MemoryBlobStore } from '../../../src/store/memory-blob-store.ts'

const later = () => Date.now() + 1000

async function filled() {
  const store = new MemoryBlobStore()
  const keys = [
    'tmp/pages/d/r1/0/blocks.json',
    'results/d-a-r1/0.json',
    'results/d-a-r1/1.json',
    'results/open-r1/0.json',
    'done/d-a/r1.json',
    'inputs/x',
    'outputs/d/r1/a',
  ]
  for (const key of keys) await store.put(key, new Uint8Array(2))
  return store
}

async function keysOf(store: MemoryBlobStore) {
  const keys: string[] = []
  for await (const key of store.list('')) keys.push(key)
  return keys
}

it('deletes passing values and the results of documents that are done, and nothing else', async () => {
  const store = await filled()
  expect(await collectGarbage(store, later(), false)).toEqual({ passing: 1, results: 2, drafts: 0, bytes: 6 })
  expect(await keysOf(store)).toEqual(['done/d-a/r1.json', 'inputs/x', 'outputs/d/r1/a', 'results/open-r1/0.json'])
})

it('deletes nothing that is younger, and nothing in a dry run', async () => {
  const store = await filled()
  expect(await collectGarbage(store, Date.now() - 1000, false)).toMatchObject({ passing: 0, results: 0 })
  expect(await collectGarbage(store, later(), true)).toMatchObject({ passing: 1, results: 2 })
  expect(await keysOf(store)).toHaveLength(7)
})

it('says by which rules a bucket expires what lies below tmp/ of its prefix', () => {
  expect(expiryRules('s3://bucket/some/prefix', 7)).toMatchObject({ Rules: [{ Filter: { Prefix: 'some/prefix/tmp/' }, Expiration: { Days: 7 } }, {}] })
})
