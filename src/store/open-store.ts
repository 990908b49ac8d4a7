import { fileURLToPath } from 'node:url'
import type { Config } from '../config/config.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { BlobStore } from './blob-store.ts'
import { FsBlobStore } from './fs-blob-store.ts'

/** The store that `store.url` names. Rejects with `configuration` for one that is none, `store-refused` for a bucket that does not open, `store-failed`. */
export async function openStore(config: Config['store']): Promise<BlobStore> {
  const { url } = config
  if (url === '') throw new PagestreamError('configuration', 'opening the store: store.url is empty; workers of a cluster share a folder or a bucket')
  if (!URL.canParse(url)) throw new PagestreamError('configuration', 'opening the store: store.url is no URL')
  const { protocol, hostname, pathname } = new URL(url)
  if (protocol === 'file:') return new FsBlobStore(orMisspelt(() => fileURLToPath(url)))
  if (protocol !== 's3:') throw new PagestreamError('configuration', 'opening the store: store.url begins neither with file:// nor with s3://')
  if (hostname === '') throw new PagestreamError('configuration', 'opening the store: store.url names no bucket, expected s3://bucket/prefix')
  const store = await openBucket(
    config,
    hostname,
    orMisspelt(() => decodeURIComponent(pathname)),
  )
  await store.check()
  return store
}

/** The path of a URL. What is wrong with it is not passed on: it would quote the URL. */
function orMisspelt(path: () => string): string {
  try {
    return path()
  } catch {
    throw new PagestreamError('configuration', 'opening the store: the path of store.url is none: a % that begins no character, or a host before a folder')
  }
}

/** A bucket, or what lies below a prefix of it. Nothing is asked of the server yet. */
export async function openBucket(config: Config['store'], bucket: string, prefix: string) {
  const { S3BlobStore } = await import('./s3-blob-store.ts')
  return S3BlobStore.open(config, bucket, prefix.replace(/^\/+|\/+$/g, ''))
}
