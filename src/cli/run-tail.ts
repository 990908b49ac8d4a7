import { loadConfig } from '../config/load-config.ts'
import { type ReadRecord, readTopic } from '../consumers/kafka/topic-reader.ts'
import type { BlockEvent, DeadLetter, DocumentAssembled } from '../schema/events.ts'
import type { TopicName, TopicPayload } from '../schema/topics.ts'
import { askedDocument } from './asked-document.ts'
import { counted } from './counted.ts'
import { print } from './print.ts'
import { stopSignal } from './stop-signal.ts'
import type { Tailed, TailFlags } from './tail-command.ts'
import { excerpt, shortId, shown } from './terminal-text.ts'

const topics: Readonly<Record<Tailed, TopicName>> = {
  blocks: 'blocks',
  documents: 'documents.assembled',
  chunks: 'chunks',
  'dead-letters': 'dead-letter',
}

/** Runs `pagestream tail`; answers with the exit code. */
export async function runTail(what: Tailed, flags: TailFlags): Promise<number> {
  const config = loadConfig({ file: flags.config })
  const documentId = flags.document === undefined ? undefined : await askedDocument(flags.document, config)
  if (flags.document !== undefined && documentId === undefined) return 1
  const signal = stopSignal()
  const options = {
    topic: topics[what],
    from: flags.from,
    until: 'stopped',
    signal,
    ...(flags.untilIdle !== undefined && { idleMs: flags.untilIdle }),
  } as const
  for await (const record of readTopic(config.kafka, options)) {
    if (documentId !== undefined && !isOf(record, documentId)) continue
    print(flags.json ? jsonOf(what, record) : shown(lineOf(what, record)))
  }
  return signal.aborted ? 130 : 0
}

/** A tombstone is known by its key alone: the keys of chunks begin with the document. */
function isOf({ key, payload }: ReadRecord, documentId: string): boolean {
  if (payload !== null && 'documentId' in payload) return payload.documentId === documentId
  return key === documentId || key.startsWith(`${documentId}/`)
}

const jsonOf = (what: Tailed, { id, key, partition, offset, timestampMs, payload }: ReadRecord): string =>
  JSON.stringify({ event: what, id, at: new Date(timestampMs).toISOString(), partition, offset: String(offset), key, payload })

function lineOf(what: Tailed, { key, payload }: ReadRecord): string {
  if (payload === null) return `${what === 'chunks' ? 'gone    ' : 'broken  '} ${key}`
  switch (what) {
    case 'blocks': {
      const { documentId, block } = payload as BlockEvent
      return `${shortId(documentId)}  p. ${block.page + 1}  ${block.kind.padEnd(12)} ${excerpt(block.text ?? '')}`
    }
    case 'documents': {
      const { documentId, status, source, pages, failedPages, failure } = payload as DocumentAssembled
      const failed = failedPages > 0 ? `, ${failedPages} failed` : ''
      return `${shortId(documentId)}  ${status.padEnd(8)} ${source.name}: ${counted(pages, 'page')}${failed}${failure ? `, ${failure.code}: ${failure.message}` : ''}`
    }
    case 'chunks': {
      const { documentId, id, text } = payload as TopicPayload<'chunks'>
      return `${shortId(documentId)}  ${id}  ${excerpt(text)}`
    }
    case 'dead-letters': {
      const { documentId, pageIndex, stage, failure } = payload as DeadLetter
      const page = pageIndex === undefined ? '' : ` p. ${pageIndex + 1}`
      return `${shortId(documentId) || '-'}${page}  ${stage}  ${failure.class}  ${failure.code}: ${failure.message}`
    }
  }
}
