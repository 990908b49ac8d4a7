import { expect, it } from 'vitest'
import type { OutRecord } from '../../../../src/consumers/bus.ts'
import { assembleBinding } from '../../../../src/consumers/chain/assemble-binding.ts'
import { resultKey } from '../../../../src/consumers/chain/keys.ts'
import type { StageBinding } from '../../../../src/consumers/stage-binding.ts'
import type { DocumentAssembled, PageRecognized } from '../../../../src/schema/events.ts'
import { PagestreamError } from '../../../../src/schema/failure.ts'
import { BlobSink } from '../../../../src/store/blob-sink.ts'
import { MemoryBlobStore } from '../../../../src/store/memory-blob-store.ts'
import { StoreArtifacts } from '../../../../src/store/store-artifacts.ts'
import { Counters } from '../../../../src/telemetry/counters.ts'
import { block, page, source } from '../../../support/page-results.ts'

type Binding = StageBinding<'pages.recognized', PageRecognized, DocumentAssembled | undefined>

/** A store that processes share, as many of them as a test asks for, and what readers of chunks are sent. */
async function cluster(pages: number, { chunksAreRead = false } = {}) {
  const sent: OutRecord[] = []
  const store = new MemoryBlobStore()
  const artifacts = new StoreArtifacts(store)
  const opened = await artifacts.put('opened', { info: { pageCount: pages, metadata: {}, outline: [], flags: [] }, pages: [...Array(pages).keys()] }, 'passing')
  const finish = async (pageIndex: number): Promise<PageRecognized & { kind: 'page' }> => {
    const value = page(pageIndex, [block({ kind: 'text', text: `Page ${pageIndex}`, page: pageIndex })])
    const result = await artifacts.put(resultKey('d', 'r', pageIndex), value, 'lasting')
    return { kind: 'page', page: { documentId: 'd', revision: 'r', pageIndex, pageCount: pages, ocr: 'never', source }, status: 'ok', result, opened }
  }
  const worker = (): Binding =>
    assembleBinding({
      artifacts,
      counters: new Counters(),
      settings: 's',
      bus: {
        wanted: (topic) => chunksAreRead && topic === 'chunks',
        publish: async (records) => void sent.push(...records),
        close: async () => {},
        subscribe: () => Promise.reject(new Error('not here')),
      },
      options: () => ({ formats: ['json'], chunks: { maxTokens: 512, minTokens: 64 } }),
      sinkOf: (documentId, revision) => new BlobSink(store, `${documentId}/${revision}`),
    })
  return { store, sent, finish, worker }
}

/** The document that the event brings to its end, if it does. */
async function take(binding: Binding, event: PageRecognized): Promise<DocumentAssembled | undefined> {
  for await (const outcome of binding.stage.process({ id: 1, pages: [event] }, new AbortController().signal)) {
    if (outcome.kind === 'done') return outcome.value
    throw new Error(JSON.stringify(outcome))
  }
  return undefined
}

it('completes a document whose pages went to another process for a while', async () => {
  const { finish, worker } = await cluster(3)
  const [first, second] = [worker(), worker()]
  expect(await take(first, await finish(0))).toBeUndefined()
  expect(await take(second, await finish(1))).toBeUndefined()
  first.reassigned?.()
  expect(await take(first, await finish(2))).toMatchObject({ status: 'complete', pages: 3 })
})

it('sends the end of a document again when the page that ended it comes again, whichever it was', async () => {
  const { finish, worker } = await cluster(2)
  const dead = worker()
  const last = await finish(1)
  expect(await take(dead, last)).toBeUndefined()
  const first = await finish(0)
  const assembled = await take(dead, first) // and dies before it is sent; the event of the last page is committed
  const next = worker()
  expect(await take(next, first)).toEqual(assembled)
  expect(await take(next, last)).toBeUndefined()
})

it('assembles again after a try that failed', async () => {
  const { store, finish, worker } = await cluster(1)
  const binding = worker()
  const put = store.put.bind(store)
  store.put = () => Promise.reject(new PagestreamError('store-failed', 'writing: the store does not answer'))
  const event = await finish(0)
  await expect(take(binding, event)).rejects.toThrow('store-failed')
  store.put = put
  expect(await take(binding, event)).toMatchObject({ status: 'complete' })
})

it('assembles once when the events of its pages come while it is assembled, and ends again when it is submitted again', async () => {
  const { store, finish, worker } = await cluster(3)
  const events = [await finish(0), await finish(1), await finish(2)]
  const binding = worker()
  const put = store.put.bind(store)
  let writes = 0
  const assembling = new Promise<void>((resolve) => {
    store.put = async (key, bytes) => {
      writes++
      resolve()
      await new Promise((later) => setTimeout(later, 50))
      await put(key, bytes)
    }
  })
  const [first, ...others] = events.map((event) => () => take(binding, event))
  const end = first?.()
  await assembling
  expect(await Promise.all(others.map((other) => other()))).toEqual([undefined, undefined])
  expect(await end).toMatchObject({ status: 'complete' })
  expect(writes).toBe(1)
  for (const other of others) expect(await other()).toBeUndefined()
  expect(await first?.()).toEqual(await end)
})

it('leaves readers the chunks of a document that is read again and fails', async () => {
  const { sent, finish, worker } = await cluster(1, { chunksAreRead: true })
  const binding = worker()
  expect(await take(binding, await finish(0))).toMatchObject({ status: 'complete' })
  expect(sent.map(({ topic, payload }) => [topic, payload === null])).toEqual([['chunks', false]])
  const failure = { class: 'input' as const, code: 'document-corrupt' as const, message: 'opening it: it is damaged' }
  expect(await take(binding, { kind: 'document', documentId: 'd', revision: 'next', source, failure })).toMatchObject({ status: 'failed' })
  expect(sent).toHaveLength(1)
})
