import { symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FsBlobStore } from '../../../src/store/fs-blob-store.ts'
import { MemoryBlobStore } from '../../../src/store/memory-blob-store.ts'
import { meteredStore } from '../../../src/store/metered-store.ts'
import { StoreCounters } from '../../../src/telemetry/store-counters.ts'
import { blobStoreContract } from '../../support/blob-store-contract.ts'
import { tempFolder } from '../../support/temp-folder.ts'

blobStoreContract('the file system', async () => new FsBlobStore(await tempFolder()))
blobStoreContract('memory', async () => new MemoryBlobStore())
blobStoreContract('a metered store', async () => meteredStore(new MemoryBlobStore(), new StoreCounters()))

it('the file system store refuses keys that leave its folder', async () => {
  const store = new FsBlobStore(await tempFolder())
  await expect(store.put('../out', new Uint8Array())).rejects.toMatchObject({ code: 'internal' })
  await expect(store.get('/etc/passwd')).rejects.toMatchObject({ code: 'internal' })
})

it('the file system store writes into folders that another process deletes at the same time', async () => {
  const folder = await tempFolder()
  const [ours, theirs] = [new FsBlobStore(folder), new FsBlobStore(folder)]
  for (let round = 0; round < 50; round++) {
    const writes = Array.from({ length: 4 }, (_, i) =>
      i % 2 ? ours.put(`pages/1/${i}`, new Uint8Array(8)) : ours.putIfAbsent(`pages/1/${i}`, new Uint8Array(8)),
    )
    await Promise.all([...writes, theirs.deleteAll('pages/1')])
  }
  await theirs.deleteAll('pages/1')
  await ours.put('pages/1/last', Buffer.from('whole'))
  expect(Buffer.from(await theirs.get('pages/1/last')).toString()).toBe('whole')
})

it('the file system store does not take a place that it cannot read for an empty one', async () => {
  const folder = await tempFolder()
  const store = new FsBlobStore(folder)
  await store.put('a/short', new Uint8Array())
  await symlink('loop', join(folder, 'a/loop')) // not missing, but not to be had
  await expect(store.has('a/loop/b')).rejects.toMatchObject({ code: 'store-failed' })
})

it('the file system store finds nothing under a name that no file can have', async () => {
  const store = new FsBlobStore(await tempFolder())
  await expect(store.get(`a/${'x'.repeat(300)}`)).rejects.toMatchObject({ code: 'artifact-missing' })
  await expect(store.get('a/\0')).rejects.toMatchObject({ class: 'bug' })
})

it('the file system store deletes drafts of writers that were killed, old ones only', async () => {
  const folder = await tempFolder()
  const store = new FsBlobStore(folder)
  await store.put('a/b', new Uint8Array(3))
  const hourAgo = Date.now() / 1000 - 3600
  for (const name of ['.draft-old', '.draft-new']) await writeFile(join(folder, 'a', name), 'half')
  await utimes(join(folder, 'a/.draft-old'), hourAgo, hourAgo)
  const before = Date.now() - 60_000
  expect(await store.deleteDrafts(before, true)).toBe(1)
  expect(await store.deleteDrafts(before, false)).toBe(1)
  expect(await store.deleteDrafts(before, false)).toBe(0)
  expect(await store.has('a/b')).toBe(true)
})
