import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/load-config.ts'
import { RemoteFiles } from '../../../src/inputs/remote-files.ts'
import { checkStore } from '../../../src/operations/store-check.ts'
import { openBucket, openStore } from '../../../src/store/open-store.ts'
import { connectBucket } from '../../../src/store/s3-bucket.ts'
import { uploadFile } from '../../../src/store/s3-upload.ts'
import { blobStoreContract } from '../../support/blob-store-contract.ts'
import { startS3Server } from '../../support/s3-server.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const server = await startS3Server()
const running = 'missing' in server ? undefined : server
afterAll(() => running?.close())

const bytes = (text: string) => new TextEncoder().encode(text)

async function newBucket() {
  if (!running) throw new Error('no server')
  const config = await running.bucket()
  const client = new S3Client({ endpoint: config.endpoint, region: config.region, forcePathStyle: true })
  return { config, client, bucket: config.bucket, store: await openStore(config) }
}

describe.skipIf(!running)(`a bucket of a real S3 server${'missing' in server ? ` (needs ${server.missing})` : ''}`, () => {
  blobStoreContract('a bucket', async () => (await newBucket()).store)

  it('keeps to what workers build on', async () => {
    const { store } = await newBucket()
    await expect(checkStore(store)).resolves.toBeUndefined()
  })

  it('refuses bytes that are not those that were written', async () => {
    const { client, bucket, store } = await newBucket()
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'some/prefix/a', Body: bytes('other'), Metadata: { sha256: '0'.repeat(64) } }))
    await expect(store.get('a')).rejects.toMatchObject({ code: 'artifact-missing' })
  })

  it('sees nothing outside its prefix and refuses keys that leave it', async () => {
    const { client, bucket, store } = await newBucket()
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'some/other', Body: bytes('1') }))
    const keys: string[] = []
    for await (const key of store.list('')) keys.push(key)
    expect(keys).toEqual([])
    await expect(store.get('../other')).rejects.toMatchObject({ code: 'internal' })
  })

  it('is refused at the end of an upload in parts when another writer was first', async () => {
    const { config, store } = await newBucket()
    const to = await connectBucket(config, config.bucket)
    const path = join(await tempFolder(), 'big')
    const later = Buffer.alloc(17 * 1024 ** 2, 'later')
    await writeFile(path, later)
    const sha256 = createHash('sha256').update(later).digest('hex')
    await store.put('big', bytes('first'))
    await expect(uploadFile(to, 'some/prefix/big', { path, sha256 }, true)).rejects.toMatchObject({ name: 'PreconditionFailed' })
    expect(Buffer.from(await store.get('big')).toString()).toBe('first')
    expect(await store.deleteDrafts(Date.UTC(2200), true)).toBe(0)
  })

  it('ends uploads in parts that were never completed, old ones only', async () => {
    const { client, bucket, store } = await newBucket()
    await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: 'some/prefix/big' }))
    const left = async () => (await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads?.length ?? 0
    expect(await left()).toBe(1)
    expect(await store.deleteDrafts(Date.UTC(2000), false)).toBe(0)
    expect(await store.deleteDrafts(Date.UTC(2200), true)).toBe(1)
    expect(await store.deleteDrafts(Date.UTC(2200), false)).toBe(1)
    expect(await left()).toBe(0)
  })

  it('lists and deletes more keys than one answer holds', async () => {
    const { store } = await newBucket()
    const count = 1005
    for (let from = 0; from < count; from += 67) {
      await Promise.all(Array.from({ length: 67 }, (_, i) => store.put(`many/${from + i}`, bytes('x'))))
    }
    const listed = async () => {
      let keys = 0
      for await (const _ of store.list('many/')) keys++
      return keys
    }
    expect(await listed()).toBe(count)
    await store.deleteAll('many')
    expect(await listed()).toBe(0)
  })

  it('gives out what references name in the buckets that are listed, up to the size limit', async () => {
    const { config, client, bucket } = await newBucket()
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'in/a.pdf', Body: bytes('%PDF-1.7') }))
    const path = join(await tempFolder(), 'fetched')
    const { bucket: _, ...store } = config
    const filesOf = (limits: object) => new RemoteFiles(loadConfig({ env: {}, overrides: { store, limits, inputs: { buckets: [`${bucket}/in`] } } }))
    await filesOf({}).fetchTo(`s3://${bucket}/in/a.pdf`, path)
    expect(await readFile(path, 'utf8')).toBe('%PDF-1.7')
    await expect(filesOf({ maxDocumentBytes: 7 }).fetchTo(`s3://${bucket}/in/a.pdf`, path)).rejects.toMatchObject({ code: 'document-too-large' })
    await expect(filesOf({}).fetchTo(`s3://${bucket}/in/none.pdf`, path)).rejects.toMatchObject({ code: 'document-not-found' })
    await expect(filesOf({}).fetchTo(`s3://${bucket}/out/a.pdf`, path)).rejects.toMatchObject({ code: 'input-forbidden' })
  })

  it('does not open a bucket that is not there', async () => {
    const { config } = await newBucket()
    await expect(openStore({ ...config, url: 's3://not-there-at-all' })).rejects.toMatchObject({ code: 'store-refused' })
  })
})

/** Answers every request to the end of the test as `answer` says. */
async function stubServer(answer: (method: string, ifNoneMatch: string | undefined, bytes: Buffer) => { status: number; code?: string; body?: string }) {
  const seen: string[] = []
  const http = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    seen.push(request.method ?? '')
    const { status, code, body } = answer(request.method ?? '', request.headers['if-none-match'], Buffer.concat(pieces))
    response.writeHead(status, { 'content-type': 'application/xml' })
    response.end(code ? `<?xml version="1.0"?><Error><Code>${code}</Code><Message>secret words of the server</Message></Error>` : body)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  const port = typeof address === 'object' && address ? address.port : 0
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' })
  const store = await openBucket({ url: '', endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', pathStyle: true }, 'bucket', '')
  return { store, seen, [Symbol.asyncDispose]: async () => void http.close(() => {}) }
}

describe('a bucket of a server with faults', () => {
  it('looks first and then writes where the server has no conditional writes', async () => {
    let stored: Buffer | undefined
    await using stub = await stubServer((method, ifNoneMatch, sent) => {
      if (ifNoneMatch) return { status: 501, code: 'NotImplemented' }
      if (method === 'HEAD') return { status: stored ? 200 : 404 }
      stored = sent
      return { status: 200 }
    })
    expect(await stub.store.putIfAbsent('a', bytes('1'))).toBe(true)
    expect(await stub.store.putIfAbsent('a', bytes('2'))).toBe(false)
    expect(stored?.toString()).toContain('1')
  })

  it('writes again after a conflict with another writer', async () => {
    let conflicts = 2
    await using stub = await stubServer(() => (conflicts-- > 0 ? { status: 409, code: 'ConditionalRequestConflict' } : { status: 200 }))
    expect(await stub.store.putIfAbsent('a', bytes('1'))).toBe(true)
  })

  it('gives up after a bounded number of tries and does not pass on what the server says', async () => {
    await using stub = await stubServer(() => ({ status: 503, code: 'SlowDown' }))
    const failure = await stub.store.put('a', bytes('1')).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'store-failed', message: expect.stringContaining('SlowDown') })
    expect(String(failure)).not.toContain('secret words')
    expect(stub.seen.length).toBeLessThanOrEqual(5)
  })

  it('says store-refused for credentials that do not open the bucket, and store-failed for a missing bucket met later', async () => {
    await using stub = await stubServer((method) => ({ status: method === 'GET' ? 403 : 404, code: method === 'GET' ? 'AccessDenied' : 'NoSuchBucket' }))
    await expect(stub.store.check()).rejects.toMatchObject({ code: 'store-refused' })
    await expect(stub.store.put('a', bytes('1'))).rejects.toMatchObject({ code: 'store-failed' })
  })
})
