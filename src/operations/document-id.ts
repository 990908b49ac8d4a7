import type { KafkaConfig } from '../config/kafka-config.ts'
import { PagestreamError } from '../schema/failure.ts'
import { lanes } from '../schema/lane.ts'
import { leastIdCharacters } from '../schema/short-id.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { passingPrefix } from '../store/store-artifacts.ts'
import { findLetters } from './dead-letters.ts'
import { waitingDocuments } from './waiting-documents.ts'

/** Ids beyond the store that are looked through. */
const mostLooked = 200_000

/** An id that is a SHA-256, alone or with the revision behind it: it needs no looking for. */
const wholeId = /^([0-9a-f]{64})(?:\/[0-9a-f]{16})?$/
const revisionBehind = /\/[0-9a-f]{16}$/

/** Where documents are looked for, opened only when they are. */
export interface DocumentPlaces {
  open(): Promise<BlobStore>
  /** Ids that the store may not know. */
  beyond(): AsyncIterable<string>
}

/**
 * The whole id of the document that people name by it, by how it begins, or by either and a revision, as the commands print them. Looks in the
 * store, and where that knows none at `beyond`. Undefined where there is none; rejects with `document-ambiguous`, `store-failed`, `kafka-*`.
 */
export async function findDocumentId(text: string, { open, beyond }: DocumentPlaces): Promise<string | undefined> {
  if (text === '') return undefined
  const whole = wholeId.exec(text)?.[1]
  if (whole !== undefined) return whole
  const store = await open()
  for (const asked of new Set([text, text.replace(revisionBehind, '')])) {
    const found = (await hasMark(store, asked)) ? asked : await only(asked, begunSo(store, asked))
    if (found !== undefined) return found
  }
  return only(text.replace(revisionBehind, ''), beyond())
}

/** Ids that the store may not know: of documents that wait for a worker, and of those that dead letters speak of. Rejects with `kafka-*`. */
export async function* idsOnTopics(config: KafkaConfig): AsyncIterable<string> {
  for (const lane of lanes) yield* waitingDocuments(config, lane)
  for await (const { letter } of findLetters(config, {})) yield letter.documentId
}

/** The id itself, else the only one that begins so. */
async function only(asked: string, ids: AsyncIterable<string>): Promise<string | undefined> {
  const begun = new Set<string>()
  let looked = 0
  for await (const id of ids) {
    if (id === asked) return id
    if (asked.length >= leastIdCharacters && id.startsWith(asked) && begun.size < 2) begun.add(id)
    if (++looked >= mostLooked) break
  }
  if (begun.size < 2) return begun.values().next().value
  const some = [...begun].map((id) => JSON.stringify(id)).join(' and ')
  throw new PagestreamError('document-ambiguous', `looking for the document ${JSON.stringify(asked)}: several begin so, among them ${some}`)
}

const marks = ['done/', `${passingPrefix}unfinished/`, `${passingPrefix}opened/`]

async function hasMark(store: BlobStore, documentId: string): Promise<boolean> {
  for (const place of marks) {
    const below = `${place}${documentId}/`
    for await (const key of store.list(below)) if (!key.slice(below.length).includes('/')) return true
  }
  return false
}

/** Of documents that were opened or ended, and of files that were submitted, whose ids are their hashes. */
async function* begunSo(store: BlobStore, asked: string): AsyncIterable<string> {
  if (asked.length < leastIdCharacters) return
  for (const place of marks) {
    for await (const key of store.list(place + asked)) yield key.slice(place.length, key.lastIndexOf('/'))
  }
  for await (const key of store.list(`inputs/${asked}`)) yield key.slice('inputs/'.length)
}
