import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { packageRoot } from '../../src/config/package-root.ts'
import { collectGarbage } from '../../src/operations/store-gc.ts'
import type { BlobStore } from '../../src/store/blob-store.ts'
import { openBucket } from '../../src/store/open-store.ts'
import { outputPrefix } from '../../src/worker/output-prefix.ts'
import { eventually } from '../support/bus-contract.ts'
import { testChain, textDocument } from '../support/kafka/test-chain.ts'
import { describeKafka } from '../support/kafka/test-kafka.ts'
import { startS3Server } from '../support/s3-server.ts'

const server = await startS3Server()
const missing = 'missing' in server ? server.missing : undefined
afterAll(() => ('missing' in server ? undefined : server.close()))

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

type Chain = Awaited<ReturnType<typeof testChain>>

/** A chain whose store is a bucket; `in/` of the bucket may be named by documents. */
async function bucketChain(): Promise<Chain & { readonly bucket: string }> {
  if ('missing' in server) throw new Error('no server')
  const { bucket, ...store } = await server.bucket()
  return { ...(await testChain({ store, inputs: { buckets: [`${bucket}/in`] } })), bucket }
}

/** Puts the bytes into the store, tells the chain of them and waits for the end. */
async function read(chain: Chain, bytes: Uint8Array, documentId?: string) {
  const path = join(chain.folder, 'read.pdf')
  await writeFile(path, bytes)
  const identified = await chain.submitter.identify(path, 'read.pdf')
  const submitted = documentId === undefined ? identified : { ...identified, documentId }
  await chain.submitter.send(submitted)
  await end(chain, submitted.revision)
  return submitted
}

const end = (chain: Chain, revision: string) =>
  eventually(() => expect(chain.of('documents.assembled').map(({ payload }) => payload)).toContainEqual(expect.objectContaining({ revision })), 60_000)

/** Everything that a reader keeps of a document: the last value of each block and chunk, and its end. Events may come twice. */
async function kept(chain: Chain, chunks: number) {
  await eventually(() => expect(byId(chain, 'chunks').size).toBe(chunks))
  return { blocks: byId(chain, 'blocks'), chunks: byId(chain, 'chunks'), end: chain.of('documents.assembled').at(-1)?.payload }
}

const idOf = (payload: unknown): string | undefined => (payload as { block?: { id: string } } | null)?.block?.id

const byId = (chain: Chain, topic: 'blocks' | 'chunks') => new Map(chain.of(topic).map(({ key, payload }) => [idOf(payload) ?? key, payload]))

async function outputs(store: BlobStore, documentId: string, revision: string) {
  const found = new Map<string, string>()
  for await (const key of store.list(`${outputPrefix(documentId, revision)}/`)) found.set(key, Buffer.from(await store.get(key)).toString())
  return found
}

/** A worker process as an operator starts it. */
function workerProcess({ kafka, store, ocr }: Config): ChildProcess {
  const env = {
    ...process.env,
    ...Object.fromEntries(
      Object.entries({ kafka, store }).flatMap(([part, keys]) =>
        Object.entries(keys)
          .filter(([, value]) => typeof value !== 'object' || Array.isArray(value))
          .map(([key, value]) => [`PAGESTREAM_${part.toUpperCase()}__${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`, JSON.stringify(value)]),
      ),
    ),
    PAGESTREAM_OCR: ocr,
  }
  const child = spawn(process.execPath, [join(packageRoot(), 'dist/bundle/cli.js'), 'worker', '--stage', 'all', '--lane', 'live'], { env, stdio: 'ignore' })
  children.push(child)
  return child
}

describeKafka(
  'the chain with its store in a bucket',
  () => {
    it('says and writes what it does with a folder', async () => {
      const [folder, bucket] = [await testChain(), await bucketChain()]
      await folder.work()
      await bucket.work()
      const bytes = textDocument(6)
      const { documentId, revision } = await read(folder, bytes)
      expect(await read(bucket, bytes)).toMatchObject({ documentId, revision })
      const files = await outputs(folder.store, documentId, revision)
      expect(await outputs(bucket.store, documentId, revision)).toEqual(files)
      const chunks = (files.get(`${outputPrefix(documentId, revision)}/chunks.jsonl`) ?? '').trim().split('\n').length
      const expected = await kept(folder, chunks)
      expect(expected.blocks.size).toBeGreaterThanOrEqual(6)
      await eventually(() => expect(byId(bucket, 'blocks').size).toBe(expected.blocks.size))
      expect(await kept(bucket, chunks)).toEqual(expected)
    })

    it('reads documents that lie in a bucket that is listed, where they lie or from the store', async () => {
      const chain = await bucketChain()
      await chain.work()
      const lying = await openBucket(chain.config.store, chain.bucket, '')
      await lying.put('in/there.pdf', textDocument(2, 'There'))
      await lying.put('in/copied.pdf', textDocument(2, 'Copied'))
      const there = await chain.submitter.identifyRemote(`s3://${chain.bucket}/in/there.pdf`, true)
      const copied = await chain.submitter.identifyRemote(`s3://${chain.bucket}/in/copied.pdf`, false)
      expect([there.source.path, copied.source.path]).toEqual([`s3://${chain.bucket}/in/there.pdf`, `store:inputs/${copied.documentId}`])
      for (const submitted of [there, copied]) await chain.submitter.send(submitted)
      for (const submitted of [there, copied]) await end(chain, submitted.revision)
      for (const { payload } of chain.of('documents.assembled')) expect(payload).toMatchObject({ status: 'complete', pages: 2 })
    })

    it('goes on where a worker was killed, to the same end', async () => {
      const [calm, struck] = [await bucketChain(), await bucketChain()]
      const bytes = textDocument(40)
      await calm.work()
      const { documentId, revision } = await read(calm, bytes)
      const child = workerProcess(struck.config)
      const path = join(struck.folder, 'read.pdf')
      await writeFile(path, bytes)
      await struck.submitter.send(await struck.submitter.identify(path, 'read.pdf'))
      await eventually(() => expect(struck.of('blocks').length).toBeGreaterThan(3), 60_000)
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(struck.of('documents.assembled')).toEqual([])
      await struck.work()
      await end(struck, revision)
      const files = await outputs(calm.store, documentId, revision)
      expect(await outputs(struck.store, documentId, revision)).toEqual(files)
      await eventually(() => {
        for (const topic of ['blocks', 'chunks'] as const) expect(byId(struck, topic)).toEqual(byId(calm, topic))
      })
      expect(struck.of('dead-letter')).toEqual([])
    })

    it('takes back chunks that are gone, and keeps what is needed when the rest is collected', async () => {
      const chain = await bucketChain()
      await chain.work()
      await read(chain, textDocument(2, 'Old'), 'named-by-the-caller')
      const last = await read(chain, textDocument(2, 'New'), 'named-by-the-caller')
      await eventually(() => {
        const left = [...byId(chain, 'chunks').values()].filter((chunk) => chunk !== null).map((chunk) => (chunk as { text: string }).text)
        expect(left.join(' ')).toContain('New 1')
        expect(left.join(' ')).not.toContain('Old 1')
      })
      const later = Date.now() + 60_000
      expect(await collectGarbage(chain.store, Date.now() - 60_000, false)).toMatchObject({ passing: 0, results: 0, drafts: 0 })
      const would = await collectGarbage(chain.store, later, true)
      expect(would.results).toBe(4)
      expect(await collectGarbage(chain.store, later, false)).toEqual(would)
      expect(await collectGarbage(chain.store, later, false)).toMatchObject({ passing: 0, results: 0 })
      expect((await outputs(chain.store, last.documentId, last.revision)).size).toBeGreaterThan(3)
      expect(await chain.submitter.ended(last)).toMatchObject({ status: 'complete' })
      const [ends, sent] = [chain.of('documents.assembled').length, chain.of('chunks').length]
      await chain.submitter.send(last)
      await eventually(() => expect(chain.of('documents.assembled').length).toBeGreaterThan(ends), 60_000)
      expect(chain.of('chunks')).toHaveLength(sent)
    })
  },
  missing,
)
