import type { Config } from '../config/config.ts'
import { PagestreamError } from '../schema/failure.ts'
import { openBucket } from '../store/open-store.ts'
import { isPlaceRefused } from '../store/s3-failure.ts'
import { fetchHttps, type Network } from './https-file.ts'
import { allowedReference } from './reference.ts'

/** Fetches what `s3://` and `https://` references name, as far as `inputs` allows it. Buckets are reached as `store` says. */
export class RemoteFiles {
  readonly #config: Config
  readonly #network: Network | undefined
  /** Buckets that `inputs` lists, each opened once. */
  readonly #buckets = new Map<string, ReturnType<typeof openBucket>>()

  constructor(config: Config, network?: Network) {
    this.#config = config
    this.#network = network
  }

  /** Makes a file of it. Rejects with `input-forbidden`, `input-unreachable`, `document-*`, `store-failed`; nothing is left then. */
  async fetchTo(text: string, path: string): Promise<void> {
    const { inputs, limits, store } = this.#config
    const reference = allowedReference(text, inputs)
    if (reference.scheme === 'https') return fetchHttps(reference.url, path, limits.maxDocumentBytes, inputs, this.#network)
    const opening = this.#buckets.get(reference.bucket) ?? openBucket(store, reference.bucket, '')
    this.#buckets.set(reference.bucket, opening)
    const bucket = await opening
    try {
      await bucket.getToFile(reference.key, path, limits.maxDocumentBytes)
    } catch (error) {
      throw objectFailure(error, reference.bucket)
    }
  }
}

/** What a bucket of inputs refuses is a failure of the document that names it: the store, and every other document, may be well. */
export function objectFailure(error: unknown, bucket: string): unknown {
  if (!(error instanceof PagestreamError)) return error
  const refused = error.code === 'store-failed' && isPlaceRefused(error.cause)
  if (error.code !== 'artifact-missing' && !refused) return error
  const what = refused ? 'there is no such bucket, or we may not read the object' : 'there is no such object'
  return new PagestreamError('document-not-found', `fetching from s3://${bucket}: ${what}`, { cause: error })
}
