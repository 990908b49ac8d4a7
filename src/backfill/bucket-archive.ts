import type { Config } from '../config/config.ts'
import { allowedReference } from '../inputs/reference.ts'
import { PagestreamError, toFailure } from '../schema/failure.ts'
import type { StoredObject } from '../store/blob-store.ts'
import { openBucket } from '../store/open-store.ts'
import { patientStore } from '../store/patient-store.ts'
import type { ArchiveEntry, ArchiveSource } from './archive-source.ts'

/**
 * The objects below a prefix of a bucket that `inputs.buckets` lists, in the order of their keys; those whose key begins with a
 * dot or ends with a slash are left out. A position is a key.
 */
export class BucketArchive implements ArchiveSource {
  readonly #config: Config
  readonly #bucket: string
  readonly #prefix: string

  /** Rejects with `input-forbidden` what `inputs.buckets` does not list. */
  constructor(config: Config, url: string) {
    const [, bucket = '', path = ''] = /^s3:\/\/([^/@?#]+)(?:\/(.*))?$/.exec(url) ?? []
    if (bucket === '') throw new PagestreamError('input-forbidden', 'opening the archive: it is no reference of the form s3://bucket/prefix')
    this.#config = config
    this.#bucket = bucket
    this.#prefix = path === '' || path.endsWith('/') ? path : `${path}/`
    allowedReference(this.#reference(`${this.#prefix}any`), config.inputs)
  }

  async *entries(after: string): AsyncIterable<ArchiveEntry> {
    const bucket = patientStore(await openBucket(this.#config.store, this.#bucket, ''))
    for await (const object of bucket.objects(this.#prefix, after === '' ? undefined : after)) {
      const name = object.key.slice(this.#prefix.length)
      if (!name.endsWith('/') && !name.split('/').some((part) => part.startsWith('.'))) yield { position: object.key, what: this.#what(object, name) }
    }
  }

  #what({ key, bytes }: StoredObject, name: string): ArchiveEntry['what'] {
    const { maxDocumentBytes } = this.#config.limits
    if (bytes <= maxDocumentBytes) return { kind: 'object', reference: this.#reference(key), name }
    return toFailure(new PagestreamError('document-too-large', `reading ${name}: its ${bytes} bytes are more than limits.maxDocumentBytes`))
  }

  #reference(key: string): string {
    return `s3://${this.#bucket}/${key}`
  }
}
