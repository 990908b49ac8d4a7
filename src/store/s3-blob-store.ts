import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { GetObjectCommandOutput, ListMultipartUploadsCommandOutput } from '@aws-sdk/client-s3'
import type { Config } from '../config/config.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { BlobStore, StoredObject } from './blob-store.ts'
import { objectDamaged, objectTooLarge } from './object-failure.ts'
import { connectBucket, type S3Bucket } from './s3-bucket.ts'
import { bucketFailure, isConflict, isMissing, isNotImplemented, isTaken, s3Failure } from './s3-failure.ts'
import { sha256Metadata, uploadBytes, uploadFile } from './s3-upload.ts'
import { writeNewFile } from './write-new-file.ts'

/** A body that breaks off or arrives damaged is read again, a write that conflicts with another is made again. */
const mostTries = 4
const pauseMs = 100
/** Most keys that one request may delete. */
const deletedAtOnce = 1000

/**
 * Objects in a bucket, below a prefix. The first writer wins by `If-None-Match: *`; on a server without conditional writes
 * (it answers NotImplemented) the store looks first and then writes, so of two that write in the same moment the later one may win: as
 * lasting values follow from their key, both write the same. A write whose answer was lost and that is made again counts as one of another.
 */
export class S3BlobStore implements BlobStore {
  readonly #to: S3Bucket
  readonly #prefix: string
  #conditional = true

  private constructor(to: S3Bucket, prefix: string) {
    this.#to = to
    this.#prefix = prefix === '' ? '' : `${prefix}/`
  }

  /** The prefix begins and ends without `/`. */
  static async open(config: Config['store'], bucket: string, prefix: string): Promise<S3BlobStore> {
    return new S3BlobStore(await connectBucket(config, bucket), prefix)
  }

  /** Whether the bucket opens. Rejects with `store-refused`, `store-failed`. */
  async check(): Promise<void> {
    const { sdk, client, bucket } = this.#to
    try {
      await client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: this.#prefix, MaxKeys: 1 }))
    } catch (error) {
      throw bucketFailure(bucket, error)
    }
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#orFailed('writing', key, (name) => uploadBytes(this.#to, name, bytes, false))
  }

  putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    return this.#writeOnce(key, (name, onlyIfAbsent) => uploadBytes(this.#to, name, bytes, onlyIfAbsent))
  }

  /** Looks first: a big file is not sent for nothing. */
  async putFile(key: string, path: string, sha256: string): Promise<boolean> {
    if (await this.has(key)) return false
    return this.#writeOnce(key, (name, onlyIfAbsent) => uploadFile(this.#to, name, { path, sha256 }, onlyIfAbsent))
  }

  async get(key: string): Promise<Uint8Array> {
    return this.#read(key, async (answer, body) => {
      const pieces: Buffer[] = []
      for await (const piece of body) pieces.push(piece)
      const bytes = Buffer.concat(pieces)
      verify(key, answer, bytes.length, createHash('sha256').update(bytes).digest('hex'))
      return bytes
    })
  }

  async getToFile(key: string, path: string, maxBytes: number): Promise<void> {
    await this.#read(key, async (answer, body) => {
      const hash = createHash('sha256')
      let bytes = 0
      const counted = async function* (source: AsyncIterable<Buffer>) {
        for await (const piece of source) {
          bytes += piece.length
          if (bytes > maxBytes) throw objectTooLarge(key, bytes, maxBytes)
          hash.update(piece)
          yield piece
        }
      }
      try {
        if ((answer.ContentLength ?? 0) > maxBytes) throw objectTooLarge(key, answer.ContentLength ?? 0, maxBytes)
        await writeNewFile(path, body, counted)
        verify(key, answer, bytes, hash.digest('hex'))
      } catch (error) {
        body.destroy()
        await rm(path, { force: true })
        throw error
      }
    })
  }

  async has(key: string): Promise<boolean> {
    const { sdk, client, bucket } = this.#to
    return this.#orFailed('looking for', key, (name) =>
      client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: name })).then(
        () => true,
        (error) => {
          if (isMissing(error)) return false
          throw error
        },
      ),
    )
  }

  async delete(key: string): Promise<void> {
    const { sdk, client, bucket } = this.#to
    await this.#orFailed('deleting', key, (name) => client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: name })))
  }

  async deleteAll(prefix: string): Promise<void> {
    await this.delete(prefix)
    let keys: string[] = []
    for await (const key of this.list(`${prefix}/`)) {
      keys.push(key)
      if (keys.length < deletedAtOnce) continue
      await this.#deleteMany(prefix, keys)
      keys = []
    }
    if (keys.length > 0) await this.#deleteMany(prefix, keys)
  }

  async *list(prefix: string): AsyncIterable<string> {
    for await (const { key } of this.objects(prefix)) yield key
  }

  async *objects(prefix: string, after?: string): AsyncIterable<StoredObject> {
    const { sdk, client, bucket } = this.#to
    let ContinuationToken: string | undefined
    do {
      const from = ContinuationToken !== undefined ? { ContinuationToken } : after !== undefined && { StartAfter: this.#name(after) }
      const asked = { Bucket: bucket, ...from }
      const page = await this.#orFailed('listing', prefix, (Prefix) => client.send(new sdk.ListObjectsV2Command({ ...asked, Prefix })))
      for (const { Key, Size, LastModified } of page.Contents ?? [])
        if (Key !== undefined) yield { key: Key.slice(this.#prefix.length), bytes: Size ?? 0, modifiedMs: LastModified?.getTime() ?? Date.now() }
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (ContinuationToken !== undefined)
  }

  /** Drafts of a bucket are uploads in parts that were never completed. */
  async deleteDrafts(beforeMs: number, dryRun: boolean): Promise<number> {
    const { sdk, client, bucket } = this.#to
    let count = 0
    let from: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}
    while (from) {
      const asked: { Bucket: string; KeyMarker?: string } = { Bucket: bucket, ...from }
      const page: ListMultipartUploadsCommandOutput = await this.#orFailed('listing uploads of', '', (Prefix) =>
        client.send(new sdk.ListMultipartUploadsCommand({ ...asked, Prefix })),
      )
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (!Key?.startsWith(this.#prefix) || (Initiated?.getTime() ?? Date.now()) >= beforeMs) continue
        count++
        if (dryRun) continue
        await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })).catch((error) => {
          if (!isMissing(error)) throw s3Failure('ending the upload of', Key, error)
        })
      }
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
      from = page.IsTruncated && KeyMarker !== undefined ? { KeyMarker, ...(UploadIdMarker !== undefined && { UploadIdMarker }) } : undefined
    }
    return count
  }

  async #writeOnce(key: string, upload: (name: string, onlyIfAbsent: boolean) => Promise<void>): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      try {
        if (!this.#conditional && (await this.has(key))) return false
        await upload(this.#name(key), this.#conditional)
        return true
      } catch (error) {
        if (isTaken(error)) return false
        if (this.#conditional && isNotImplemented(error)) this.#conditional = false
        else if (!isConflict(error) || tries >= mostTries) throw s3Failure('writing', key, error)
        else await pause(tries)
      }
    }
  }

  async #read<T>(key: string, take: (answer: GetObjectCommandOutput, body: Readable) => Promise<T>): Promise<T> {
    const { sdk, client, bucket } = this.#to
    for (let tries = 1; ; tries++) {
      let began = false
      try {
        const answer = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: this.#name(key), ChecksumMode: 'ENABLED' }))
        began = true
        return await take(answer, answer.Body instanceof Readable ? answer.Body : Readable.from([]))
      } catch (error) {
        const again = began && tries < mostTries && !(error instanceof PagestreamError && error.code === 'document-too-large')
        if (!again) throw s3Failure('reading', key, error)
        await pause(tries)
      }
    }
  }

  async #deleteMany(prefix: string, keys: readonly string[]): Promise<void> {
    const { sdk, client, bucket } = this.#to
    const Objects = keys.map((key) => ({ Key: this.#name(key) }))
    await this.#orFailed('deleting', prefix, async () => {
      const { Errors } = await client.send(new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }))
      if (Errors?.[0]) throw Object.assign(new Error('some were not deleted'), { name: Errors[0].Code ?? 'error' })
    })
  }

  async #orFailed<T>(action: string, key: string, call: (name: string) => Promise<T>): Promise<T> {
    try {
      return await call(this.#name(key))
    } catch (error) {
      throw s3Failure(action, key, error)
    }
  }

  #name(key: string): string {
    if (key.startsWith('/') || key.split('/').includes('..')) throw new PagestreamError('internal', `the key ${key} leaves its prefix`)
    return this.#prefix + key
  }
}

/** Rejects with `artifact-missing` when what arrived is not what was written. Objects of others carry no SHA-256: the SDK checks what they have. */
function verify(key: string, answer: GetObjectCommandOutput, bytes: number, sha256: string): void {
  const written = answer.Metadata?.[sha256Metadata]
  if ((answer.ContentLength ?? bytes) !== bytes || (written !== undefined && written !== sha256)) throw objectDamaged(key)
}

const pause = (tries: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs * 2 ** tries * (0.5 + Math.random() / 2)))
