import type { DeadLetter, DocumentAssembled } from '../../src/schema/events.ts'
import type { BlobStore } from '../../src/store/blob-store.ts'
import { outputPrefix } from '../../src/worker/output-prefix.ts'
import type { HistoryRecord } from './history.ts'

/** What a reader has of a document when all is over. */
export interface Outcome {
  /** Body of `documents.assembled`. */
  readonly end: string
  /** Bodies of `blocks` (not early ones) and `chunks`, and the files in the store, each by id or name. */
  readonly values: ReadonlyMap<string, string>
  /** What its dead letters complain of. */
  readonly deadLetters: ReadonlySet<string>
}

/** The outcome of every document that came to its end, by id. */
export async function outcomes(records: readonly HistoryRecord[], store: BlobStore): Promise<Map<string, Outcome>> {
  const found = new Map<string, { end: string; revision: string; values: Map<string, string>; deadLetters: Set<string> }>()
  for (const { topic, body } of records) {
    if (topic !== 'documents.assembled' || body === null) continue
    const { documentId, revision } = JSON.parse(body) as DocumentAssembled
    found.set(documentId, { end: withoutUsage(body), revision, values: new Map(), deadLetters: new Set() })
  }
  for (const { topic, id, key, body } of records) {
    if (body === null) {
      if (topic === 'chunks') for (const { values } of found.values()) values.delete(`chunk ${key}`)
      continue
    }
    const { documentId, early } = JSON.parse(body) as { documentId: string; early?: boolean }
    if (early) continue // a first word, which need not be heard
    const outcome = found.get(documentId)
    if (topic === 'blocks') outcome?.values.set(`block ${id}`, withoutUsage(body))
    else if (topic === 'chunks') outcome?.values.set(`chunk ${key}`, body)
    else if (topic === 'dead-letter') outcome?.deadLetters.add(complaint(JSON.parse(body) as DeadLetter))
  }
  for (const [documentId, { revision, values }] of found) {
    const prefix = `${outputPrefix(documentId, revision)}/`
    for await (const key of store.list(prefix)) values.set(`file ${key.slice(prefix.length)}`, comparable(key, Buffer.from(await store.get(key))))
  }
  return found
}

/** What answers of a model took is another each time that they are asked for, though the same for all who hear of it: the checks of history see to that. */
const withoutUsage = (text: string): string => text.replace(/,?\s*"usage":\s*\{[^{}]*\}/g, '')

const comparable = (key: string, bytes: Buffer): string => (/\.jsonl?$/.test(key) ? withoutUsage(bytes.toString('utf8')) : bytes.toString('base64'))

const complaint = ({ stage, pageIndex, failure }: DeadLetter): string => `${stage} ${pageIndex ?? ''} ${failure.code}`
