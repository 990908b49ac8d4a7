import { expect, it } from 'vitest'
import type { TopicName } from '../../src/schema/topics.ts'
import { MemoryBlobStore } from '../../src/store/memory-blob-store.ts'
import { differences, doubleMeanings, runAheadCommits } from './check-history.ts'
import { faultPlan } from './fault-plan.ts'
import type { HistoryRecord } from './history.ts'
import { type Outcome, outcomes } from './outcome.ts'

const page = { page: { documentId: 'd', pageIndex: 3 } }

function record(topic: TopicName, offset: number, timestampMs: number, body: unknown, id = `${topic}-${offset}`): HistoryRecord {
  const message = { key: null, value: null, timestamp: String(timestampMs), attributes: 0, offset: String(offset), headers: {} }
  return { topic, partition: 0, offset: BigInt(offset), timestampMs, key: 'd', id, body: JSON.stringify(body), message }
}

const outcome = (more: Partial<Outcome> = {}): ReadonlyMap<string, Outcome> =>
  new Map([['d', { end: 'complete', values: new Map([['block 1', 'a']]), deadLetters: new Set<string>(), ...more }]])

it('finds a commit that passed a page whose events were not out', () => {
  const records = [record('pages.gated', 7, 100, page), record('pages.layout', 0, 300, page)]
  const commit = { topic: 'pages.gated', partition: 0, offset: 8n } as const
  expect(runAheadCommits(records, [{ ...commit, atMs: 200 }])).toHaveLength(1)
  expect(runAheadCommits(records, [{ ...commit, atMs: 400 }])).toEqual([])
  expect(runAheadCommits(records, [{ ...commit, offset: 7n, atMs: 200 }])).toEqual([])
})

it('finds an event id with two bodies, and lets the same event come twice', () => {
  const twice = [record('blocks', 0, 1, page, 'same'), record('blocks', 1, 2, page, 'same')]
  expect(doubleMeanings(twice)).toEqual([])
  expect(doubleMeanings([...twice, record('blocks', 2, 3, { page: { documentId: 'd', pageIndex: 4 } }, 'same')])).toHaveLength(1)
})

it.each([
  ['a document without a final state', new Map<string, Outcome>()],
  ['another final state', outcome({ end: 'partial' })],
  ['a value that is missing', outcome({ values: new Map() })],
  ['a value that differs', outcome({ values: new Map([['block 1', 'b']]) })],
  ['a dead letter too many', outcome({ deadLetters: new Set(['layout 3 internal']) })],
])('finds %s', (_, found) => {
  expect(differences(outcome(), found)).toHaveLength(1)
})

it('finds nothing where both are the same', () => {
  expect(differences(outcome(), outcome())).toEqual([])
})

it('finds a value too many', () => {
  const found = outcome({ values: new Map([...(outcome().get('d')?.values ?? []), ['chunk 9', 'x']]) })
  expect(differences(outcome(), found)).toHaveLength(1)
})

it('misses a chunk that was taken back and not sent again', async () => {
  const end = record('documents.assembled', 0, 1, { documentId: 'd', revision: 'r' })
  const chunk = { ...record('chunks', 1, 1, { documentId: 'd' }), key: 'd/1' }
  const gone = { ...chunk, offset: 2n, body: null }
  const keys = async (...records: HistoryRecord[]) => [...((await outcomes([end, ...records], new MemoryBlobStore())).get('d')?.values.keys() ?? [])]
  expect(await keys(chunk)).toEqual(['chunk d/1'])
  expect(await keys(chunk, gone)).toEqual([])
  expect(await keys(chunk, gone, { ...chunk, offset: 3n })).toEqual(['chunk d/1'])
})

it('draws the same plan for the same seed', () => {
  expect(faultPlan(7, 8, 3000)).toEqual(faultPlan(7, 8, 3000))
  expect(faultPlan(7, 8, 3000)).not.toEqual(faultPlan(8, 8, 3000))
})
