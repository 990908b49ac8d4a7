import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { fileChanged } from './object-failure.ts'
import type { S3Bucket } from './s3-bucket.ts'

/** Larger files go in parts, several at once. */
const singleBytes = 16 * 1024 ** 2
const leastPartBytes = 8 * 1024 ** 2
const mostParts = 10_000
const partsAtOnce = 3

/** Name of the metadata that holds the SHA-256 of the bytes: servers differ in the checksums they keep, and keep none over all parts. */
export const sha256Metadata = 'sha256'

/**
 * Writes bytes, in one request however many they are: a server decides at once who was first, while not every server does so for an upload in
 * parts. `onlyIfAbsent` lets it refuse when there is an object, which rejects with its error.
 */
export async function uploadBytes(to: S3Bucket, key: string, bytes: Uint8Array, onlyIfAbsent: boolean): Promise<void> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await uploadWhole(to, key, bytes, sha256, onlyIfAbsent)
}

/**
 * The same for a file: memory holds a few parts of it. On a server that does not look at the condition of an upload in parts, or looks and then
 * writes, several writers may win; that is why files lie under keys that follow from their content.
 */
export async function uploadFile(to: S3Bucket, key: string, { path, sha256 }: HashedFile, onlyIfAbsent: boolean): Promise<void> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const parts = new CheckedParts(file, { path, sha256, bytes: size })
    if (size > singleBytes) await uploadParts(to, key, parts, onlyIfAbsent)
    else {
      const bytes = await parts.next(size)
      parts.check()
      await uploadWhole(to, key, bytes, sha256, onlyIfAbsent)
    }
  } finally {
    await file.close()
  }
}

/** A file, and the SHA-256 that its bytes must have. */
interface HashedFile {
  readonly path: string
  readonly sha256: string
}

/** The parts of a file, read one after the other and hashed as they are handed out. */
class CheckedParts {
  readonly of: HashedFile & { readonly bytes: number }
  readonly #file: FileHandle
  readonly #hash = createHash('sha256')
  #read = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(file: FileHandle, of: HashedFile & { readonly bytes: number }) {
    this.#file = file
    this.of = of
  }

  /** The next bytes of the file. Several may be asked for at once. */
  next(bytes: number): Promise<Uint8Array> {
    const reading = this.#turn.then(() => this.#take(bytes))
    this.#turn = reading
    return reading
  }

  /** When all were read: throws `input-changed` where they are not those of the hash. */
  check(): void {
    if (this.#hash.digest('hex') !== this.of.sha256) throw fileChanged(this.of.path)
  }

  async #take(bytes: number): Promise<Uint8Array> {
    const part = Buffer.alloc(bytes)
    for (let done = 0; done < bytes; ) {
      const { bytesRead } = await this.#file.read(part, done, bytes - done, this.#read + done)
      if (bytesRead === 0) throw fileChanged(this.of.path) // it became shorter
      done += bytesRead
    }
    this.#read += bytes
    this.#hash.update(part)
    return part
  }
}

async function uploadWhole({ sdk, client, bucket }: S3Bucket, key: string, bytes: Uint8Array, sha256: string, onlyIfAbsent: boolean): Promise<void> {
  const object = { Bucket: bucket, Key: key, Body: bytes, Metadata: { [sha256Metadata]: sha256 } }
  await client.send(new sdk.PutObjectCommand({ ...object, ...(onlyIfAbsent && { IfNoneMatch: '*' }) }))
}

async function uploadParts({ sdk, client, bucket }: S3Bucket, key: string, read: CheckedParts, onlyIfAbsent: boolean) {
  const { bytes, sha256 } = read.of
  const at = { Bucket: bucket, Key: key }
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand({ ...at, Metadata: { [sha256Metadata]: sha256 } }))
  const upload = { ...at, UploadId }
  try {
    const partBytes = Math.max(leastPartBytes, Math.ceil(bytes / mostParts))
    const count = Math.ceil(bytes / partBytes)
    const parts: { PartNumber: number; ETag: string | undefined }[] = []
    let next = 0
    const sendParts = async (): Promise<void> => {
      for (let i = next++; i < count; i = next++) {
        const part = await read.next(Math.min(partBytes, bytes - i * partBytes))
        const { ETag } = await client.send(new sdk.UploadPartCommand({ ...upload, PartNumber: i + 1, Body: part }))
        parts[i] = { PartNumber: i + 1, ETag }
      }
    }
    const sent = await Promise.allSettled(Array.from({ length: partsAtOnce }, sendParts))
    for (const result of sent) if (result.status === 'rejected') throw result.reason
    read.check()
    await client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts }, ...(onlyIfAbsent && { IfNoneMatch: '*' }) }))
  } catch (error) {
    await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => undefined) // `store gc` finds what is left
    throw error
  }
}
