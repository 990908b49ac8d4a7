import { expect, it } from 'vitest'
import { FsBlobStore } from '../../../src/store/fs-blob-store.ts'
import { MemoryBlobStore } from '../../../src/store/memory-blob-store.ts'
import { blobStoreContract } from '../../support/blob-store-contract.ts'
import { tempFolder } from '../../support/temp-folder.ts'

blobStoreContract('the file system', async () => new FsBlobStore(await tempFolder()))
blobStoreContract('memory', async () => new MemoryBlobStore())

it('the file system store refuses keys that leave its folder', async () => {
  const store = new FsBlobStore(await tempFolder())
  await expect(store.put('../out', new Uint8Array())).rejects.toMatchObject({ code: 'internal' })
  await expect(store.get('/etc/passwd')).rejects.toMatchObject({ code: 'internal' })
})
