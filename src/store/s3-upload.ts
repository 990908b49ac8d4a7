import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { S3Bucket } from './s3-bucket.ts'
import { sha256OfFile } from './sha256-of-file.ts'

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
export async function uploadFile(to: S3Bucket, key: string, path: string, onlyIfAbsent: boolean): Promise<void> {
  const sha256 = await sha256OfFile(path)
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > singleBytes) await uploadParts(to, key, file, size, sha256, onlyIfAbsent)
    else await uploadWhole(to, key, await readPart(file, 0, size), sha256, onlyIfAbsent)
  } finally {
    await file.close()
  }
}

async function uploadWhole({ sdk, client, bucket }: S3Bucket, key: string, bytes: Uint8Array, sha256: string, onlyIfAbsent: boolean): Promise<void> {
  const object = { Bucket: bucket, Key: key, Body: bytes, Metadata: { [sha256Metadata]: sha256 } }
  await client.send(new sdk.PutObjectCommand({ ...object, ...(onlyIfAbsent && { IfNoneMatch: '*' }) }))
}

async function uploadParts({ sdk, client, bucket }: S3Bucket, key: string, file: FileHandle, bytes: number, sha256: string, onlyIfAbsent: boolean) {
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
        const part = await readPart(file, i * partBytes, Math.min(bytes, (i + 1) * partBytes))
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

async function readPart(file: FileHandle, start: number, end: number): Promise<Uint8Array> {
  const part = Buffer.alloc(end - start)
  for (let done = 0; done < part.length; ) {
    const { bytesRead } = await file.read(part, done, part.length - done, start + done)
    if (bytesRead === 0) throw new Error('the file became shorter while it was read')
    done += bytesRead
  }
  return part
}
