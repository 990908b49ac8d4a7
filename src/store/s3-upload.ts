import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { S3Bucket } from './s3-bucket.ts'
import { sha256OfFile } from './sha256-of-file.ts'

/** Larger objects go in parts, several at once. */
const singleBytes = 16 * 1024 ** 2
const leastPartBytes = 8 * 1024 ** 2
const mostParts = 10_000
const partsAtOnce = 3

/** Name of the metadata that holds the SHA-256 of the bytes: servers differ in the checksums they keep, and keep none over all parts. */
export const sha256Metadata = 'sha256'

/** Bytes to be written, read piece by piece. */
interface Body {
  readonly bytes: number
  readonly sha256: string
  read(start: number, end: number): Promise<Uint8Array>
}

/** Writes bytes; `onlyIfAbsent` lets the server refuse when there is an object, which rejects with its error. */
export function uploadBytes(to: S3Bucket, key: string, bytes: Uint8Array, onlyIfAbsent: boolean): Promise<void> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return upload(to, key, { bytes: bytes.length, sha256, read: async (start, end) => bytes.subarray(start, end) }, onlyIfAbsent)
}

/** The same for a file: memory holds a few parts of it. */
export async function uploadFile(to: S3Bucket, key: string, path: string, onlyIfAbsent: boolean): Promise<void> {
  const sha256 = await sha256OfFile(path)
  const file = await open(path)
  try {
    const { size } = await file.stat()
    await upload(to, key, { bytes: size, sha256, read: (start, end) => readPart(file, start, end) }, onlyIfAbsent)
  } finally {
    await file.close()
  }
}

async function readPart(file: FileHandle, start: number, end: number): Promise<Uint8Array> {
  const part = Buffer.alloc(end - start)
  for (let done = 0; done < part.length; ) {
    const { bytesRead } = await file.read(part, done, part.length - done, start + done)
    if (bytesRead === 0) throw new Error('the file became shorter while it was read')
    done += bytesRead
  }
  return part
}

async function upload(to: S3Bucket, key: string, body: Body, onlyIfAbsent: boolean): Promise<void> {
  if (body.bytes > singleBytes) return uploadParts(to, key, body, onlyIfAbsent)
  await to.client.send(
    new to.sdk.PutObjectCommand({
      ...{ Bucket: to.bucket, Key: key, Body: await body.read(0, body.bytes), Metadata: { [sha256Metadata]: body.sha256 } },
      ...(onlyIfAbsent && { IfNoneMatch: '*' }),
    }),
  )
}

async function uploadParts({ sdk, client, bucket }: S3Bucket, key: string, body: Body, onlyIfAbsent: boolean): Promise<void> {
  const at = { Bucket: bucket, Key: key }
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand({ ...at, Metadata: { [sha256Metadata]: body.sha256 } }))
  const upload = { ...at, UploadId }
  try {
    const partBytes = Math.max(leastPartBytes, Math.ceil(body.bytes / mostParts))
    const count = Math.ceil(body.bytes / partBytes)
    const parts: { PartNumber: number; ETag: string | undefined }[] = []
    let next = 0
    const sendParts = async (): Promise<void> => {
      for (let i = next++; i < count; i = next++) {
        const part = await body.read(i * partBytes, Math.min(body.bytes, (i + 1) * partBytes))
        const { ETag } = await client.send(new sdk.UploadPartCommand({ ...upload, PartNumber: i + 1, Body: part }))
        parts[i] = { PartNumber: i + 1, ETag }
      }
    }
    const sent = await Promise.allSettled(Array.from({ length: partsAtOnce }, sendParts))
    for (const result of sent) if (result.status === 'rejected') throw result.reason
    await client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts }, ...(onlyIfAbsent && { IfNoneMatch: '*' }) }))
  } catch (error) {
    await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => undefined) // `store gc` finds what is left
    throw error
  }
}
