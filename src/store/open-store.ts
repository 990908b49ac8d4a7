import { fileURLToPath } from 'node:url'
import { PagestreamError } from '../schema/failure.ts'
import type { BlobStore } from './blob-store.ts'
import { FsBlobStore } from './fs-blob-store.ts'

/** The store that `store.url` names. Rejects with `configuration` for one that is none. */
export async function openStore(url: string): Promise<BlobStore> {
  if (url === '') throw new PagestreamError('configuration', 'opening the store: store.url is empty; workers of a cluster share a folder or a bucket')
  if (!URL.canParse(url)) throw new PagestreamError('configuration', 'opening the store: store.url is no URL')
  const { protocol } = new URL(url)
  if (protocol === 'file:') return new FsBlobStore(fileURLToPath(url))
  throw new PagestreamError('configuration', `opening the store: store.url begins with ${protocol}, expected file: or s3:`)
}
