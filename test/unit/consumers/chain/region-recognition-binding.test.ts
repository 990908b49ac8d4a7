import { expect, it } from 'vitest'
import type { OutRecord } from '../../../../src/consumers/bus.ts'
import { blocksKey, textLayerKey, verdictKey } from '../../../../src/consumers/chain/keys.ts'
import { regionRecognitionBinding } from '../../../../src/consumers/chain/region-recognition-binding.ts'
import type { PageLayout } from '../../../../src/schema/events.ts'
import { PagestreamError } from '../../../../src/schema/failure.ts'
import { BlobSink } from '../../../../src/store/blob-sink.ts'
import { MemoryBlobStore } from '../../../../src/store/memory-blob-store.ts'
import { StoreArtifacts } from '../../../../src/store/store-artifacts.ts'
import { Counters } from '../../../../src/telemetry/counters.ts'
import { block, page as pageResult, source } from '../../../support/page-results.ts'

const page = { documentId: 'd', revision: 'r', pageIndex: 0, pageCount: 1, ocr: 'never' as const, source }
const frame = { width: 612, height: 792, angle: 0 as const }

/** A binding of its own process over a store that processes share. */
function worker(store: MemoryBlobStore, counters = new Counters()) {
  return regionRecognitionBinding({
    artifacts: new StoreArtifacts(store),
    bus: { wanted: () => true, publish: async () => {}, close: async () => {}, subscribe: () => Promise.reject(new Error('not here')) },
    counters,
    stage: { name: 'region-recognition', cost: () => 1, process: () => Promise.reject(new Error('not here')) as never },
    sinkOf: () => new BlobSink(store, 'outputs'),
  })
}

async function laidOut(store: MemoryBlobStore): Promise<PageLayout> {
  const artifacts = new StoreArtifacts(store)
  const [textLayer, verdict, blocks, opened] = await Promise.all(
    [textLayerKey(page), verdictKey(page), blocksKey(page), 'opened'].map((key) =>
      artifacts.put(key, key === textLayerKey(page) ? { words: [] } : {}, 'passing'),
    ),
  )
  if (!textLayer || !verdict || !blocks || !opened) throw new Error('four were put')
  return { page, frame, textLayer, verdict, blocks, opened, gate: 'text-layer', modelUsed: false }
}

const signal = new AbortController().signal

it('sends the blocks of a page again that comes again after its result was kept: whoever kept it may have died before they were sent', async () => {
  const store = new MemoryBlobStore()
  const event = await laidOut(store)
  const result = pageResult(0, [block({ kind: 'text', text: 'one', page: 0 }), block({ kind: 'text', text: 'two', page: 0 })])
  let sent: readonly OutRecord[] = []
  const dead = worker(store)
  for await (const expanded of dead.expand(event, signal, {})) {
    if (expanded.kind === 'page') sent = await dead.done(expanded.page, { result, images: [] } as never)
  }
  expect(sent.map(({ topic }) => topic)).toEqual(['pages.recognized', 'blocks', 'blocks'])

  const again = []
  for await (const expanded of worker(store).expand(event, signal, {})) again.push(expanded)
  expect(again).toEqual([{ kind: 'publish', records: sent }])
})

it('counts the blocks of a page once, however often the store fails while its result is kept', async () => {
  const store = new MemoryBlobStore()
  const counters = new Counters()
  const binding = worker(store, counters)
  const result = pageResult(0, [block({ kind: 'text', text: 'one', page: 0 })])
  const write = store.putIfAbsent.bind(store)
  for await (const expanded of binding.expand(await laidOut(store), signal, {})) {
    if (expanded.kind !== 'page') throw new Error('the page was not laid out')
    store.putIfAbsent = () => Promise.reject(new PagestreamError('store-failed', 'writing: the store does not answer'))
    await expect(binding.done(expanded.page, { result, images: [] } as never)).rejects.toThrow('store')
    store.putIfAbsent = write
    await binding.done(expanded.page, { result, images: [] } as never)
  }
  expect(counters.blocks).toBe(1)
})
