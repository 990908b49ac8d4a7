import { doneKey, openedKey, passingKey, resultsKey, unfinishedKey } from '../consumers/chain/keys.ts'
import type { DocumentAssembled, DocumentOpened } from '../schema/events.ts'
import type { PageResult } from '../schema/page.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { passingPrefix, StoreArtifacts } from '../store/store-artifacts.ts'

/** How far each page of a document has come; a page counts once. */
export interface PageCounts {
  /** Of the document, those asked for. */
  readonly pages: number
  readonly waiting: number
  readonly rendered: number
  readonly gated: number
  readonly laidOut: number
  readonly recognized: number
  readonly failed: number
}

export interface DocumentStatus {
  readonly documentId: string
  readonly revision: string
  /** `complete`, `partial` and `failed` are ends; a partial or failed one may be replayed or submitted again. */
  readonly state: 'opened' | DocumentAssembled['status']
  readonly name?: string
  /** Absent where the document could not be opened, or what was known of it has expired. */
  readonly counts?: PageCounts
  readonly end?: DocumentAssembled
}

/** Revisions of one document, and documents under way, that are told; a store may hold millions. */
const mostTold = 1000

/** Where every known revision of a document stands, from the store alone. Empty for one that no worker has opened. */
export async function documentStatus(documentId: string, store: BlobStore): Promise<DocumentStatus[]> {
  const revisions = new Set<string>()
  for (const place of [`done/${documentId}`, `${passingPrefix}unfinished/${documentId}`, `${passingPrefix}opened/${documentId}`]) {
    for await (const key of store.list(`${place}/`)) {
      const revision = key.slice(place.length + 1).replace(/\.json$/, '')
      if (revisions.size < mostTold && !revision.includes('/')) revisions.add(revision)
    }
  }
  const statuses: DocumentStatus[] = []
  for (const revision of revisions) statuses.push(await revisionStatus(documentId, revision, store))
  return statuses
}

async function revisionStatus(documentId: string, revision: string, store: BlobStore): Promise<DocumentStatus> {
  const artifacts = new StoreArtifacts(store)
  const endRef = (await artifacts.find(doneKey(documentId, revision), 'lasting')) ?? (await artifacts.find(unfinishedKey(documentId, revision), 'either'))
  const openedRef = await artifacts.find(openedKey(documentId, revision), 'either')
  const end = endRef && (await artifacts.get<DocumentAssembled>(endRef))
  const counts = openedRef && (await countPages(documentId, revision, await artifacts.get<DocumentOpened>(openedRef), store))
  return {
    ...{ documentId, revision, state: end?.status ?? 'opened' },
    ...(end && { name: end.source.name, end }),
    ...(counts && { counts }),
  }
}

/** The last value that a page has left in the store says which stage it has behind it. */
async function countPages(documentId: string, revision: string, { pages }: DocumentOpened, store: BlobStore): Promise<PageCounts> {
  const artifacts = new StoreArtifacts(store)
  const ends = new Map<number, PageResult['status']>()
  for await (const { name, ref } of artifacts.list(resultsKey(documentId, revision))) ends.set(Number(name), (await artifacts.get<PageResult>(ref)).status)
  const reached = new Map<number, number>()
  const below = `${passingPrefix}${passingKey({ documentId, revision, pageIndex: 0 }).slice(0, -1)}`
  for await (const key of store.list(below)) {
    const [index, name] = key.slice(below.length).split('/')
    const stage = ['text-layer.json', 'verdict.json', 'blocks.json'].indexOf(name ?? '')
    reached.set(Number(index), Math.max(stage, reached.get(Number(index)) ?? -1))
  }
  const counts = { pages: pages.length, waiting: 0, rendered: 0, gated: 0, laidOut: 0, recognized: 0, failed: 0 }
  for (const page of pages) {
    const end = ends.get(page)
    if (end) counts[end === 'ok' ? 'recognized' : 'failed']++
    else counts[(['waiting', 'rendered', 'gated', 'laidOut'] as const)[(reached.get(page) ?? -1) + 1] ?? 'waiting']++
  }
  return counts
}

export interface StoreStatus {
  readonly complete: number
  /** Ended as partial or failed. */
  readonly unfinished: number
  readonly underWay: number
  /** Whether there are more revisions than were looked at. */
  readonly more: boolean
  /** Some of those under way, and some of the unfinished. */
  readonly told: readonly DocumentStatus[]
}

export interface StoreStatusOptions {
  /** How many documents are told. */
  readonly told: number
  /** How many revisions of documents are looked at, in the order of their ids. */
  readonly scan: number
  progress?(looked: number): void
}

/**
 * Counts the documents of a store by their state. The three lists of marks are read side by side in the order of their keys, so that
 * memory does not grow with the store and no object is asked for; time does, up to `scan`.
 */
export async function storeStatus(store: BlobStore, { told, scan, progress }: StoreStatusOptions): Promise<StoreStatus> {
  const counts = { complete: 0, unfinished: 0, underWay: 0 }
  const some: DocumentStatus[] = []
  let looked = 0
  const places = ['done/', `${passingPrefix}unfinished/`, `${passingPrefix}opened/`]
  for await (const { key, first } of mergedKeys(places.map((place) => below(store, place)))) {
    if (looked >= scan) return { ...counts, more: true, told: some }
    progress?.(++looked)
    const state = (['complete', 'unfinished', 'underWay'] as const)[first] ?? 'underWay'
    counts[state]++
    if (state !== 'complete' && some.length < Math.min(told, mostTold)) some.push(await revisionStatus(...splitKey(key), store))
  }
  return { ...counts, more: false, told: some }
}

async function* below(store: BlobStore, place: string): AsyncIterable<string> {
  for await (const key of store.list(place)) yield key.slice(place.length)
}

/** Keys of lists that ascend, each once, with the first list that holds it. */
async function* mergedKeys(lists: readonly AsyncIterable<string>[]): AsyncIterable<{ key: string; first: number }> {
  const sources = lists.map((list) => list[Symbol.asyncIterator]())
  const heads = await Promise.all(sources.map((source) => source.next()))
  try {
    for (;;) {
      const keys = heads.map((head) => (head.done ? undefined : head.value))
      const least = keys.reduce((a, b) => (b === undefined || (a !== undefined && a <= b) ? a : b), undefined)
      if (least === undefined) return
      yield { key: least, first: keys.indexOf(least) }
      for (const [i, source] of sources.entries()) if (keys[i] === least) heads[i] = await source.next()
    }
  } finally {
    for (const source of sources) await source.return?.()
  }
}

/** A document's id is its sender's choice and may hold slashes; the revision does not. */
function splitKey(key: string): [documentId: string, revision: string] {
  const rest = key.replace(/\.json$/, '')
  const at = rest.lastIndexOf('/')
  return [rest.slice(0, at), rest.slice(at + 1)]
}
