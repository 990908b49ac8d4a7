import { hash } from 'node:crypto'
import type { TopicName, TopicPayload } from '../../schema/topics.ts'
import type { OutRecord } from '../bus.ts'

/**
 * The id of an event is a hash of what it is about, never of when or where it was made: an event that is sent again
 * has the id that it had. A tombstone is about its key.
 */
export function eventId(record: OutRecord): string {
  const about = record.payload === null ? ['tombstone', record.key] : subject(record.topic, record.payload)
  return hash('sha256', JSON.stringify([record.topic, ...about])).slice(0, 32)
}

function subject(topic: TopicName, payload: TopicPayload<TopicName>): readonly unknown[] {
  if ('block' in payload) {
    const { documentId, revision, block } = payload
    // A page that is tried again may be told early in other words.
    return payload.early ? [documentId, revision, block.id, 'early', block] : [documentId, revision, block.id]
  }
  if ('page' in payload) return [payload.page.documentId, payload.page.revision, payload.page.pageIndex]
  if (topic === 'dead-letter' && 'stage' in payload) {
    const { stage, documentId, revision, pageIndex, original } = payload
    return [stage, documentId, revision, pageIndex, original && [original.topic, original.partition, original.offset]]
  }
  if (topic === 'documents.assembled' && 'failedPages' in payload) {
    // A document that is partial at first and complete later ends twice, in two events.
    return [payload.documentId, payload.revision, payload.status, payload.failedPages]
  }
  if ('revision' in payload) return [payload.documentId, payload.revision, 'id' in payload ? payload.id : '']
  return [JSON.stringify(payload)]
}
