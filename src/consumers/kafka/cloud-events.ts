import type { KafkaMessage, Message } from 'kafkajs'
import { type Failure, PagestreamError } from '../../schema/failure.ts'
import { type TopicName, type TopicPayload, topicSchemas } from '../../schema/topics.ts'
import type { OutRecord } from '../bus.ts'
import { eventId } from './event-id.ts'
import { headerText } from './record-headers.ts'

/** Names the run that asked for the work. It does not follow from the payload: dead letters keep it, a replay has it again. */
export const runHeader = 'pagestream-run'

/** When the document was submitted, in milliseconds since 1970: how long documents take is counted from there. */
export const submittedHeader = 'pagestream-submitted'

/** A decoded record: its payload, null for a tombstone, or why it has none. */
export type Decoded = { readonly payload: TopicPayload<TopicName> | null } | { readonly broken: Failure }

/**
 * A record as a CloudEvent 1.0 in Kafka's binary mode: attributes are `ce_` headers, the value is the payload as JSON.
 * Nothing in it depends on when or where it was made. Throws `internal` for a payload that breaks its topic's schema.
 */
export function encode(record: OutRecord): Message {
  const { topic, key, payload } = record
  if (payload === null) return { key, value: null, headers: headersOf(record) }
  const checked = topicSchemas[topic].safeParse(payload)
  if (!checked.success) throw new PagestreamError('internal', `publishing to ${topic}: the payload breaks its schema`, { cause: checked.error })
  return { key, value: JSON.stringify(payload), headers: headersOf(record) }
}

function headersOf(record: OutRecord): Record<string, string> {
  return {
    ce_specversion: '1.0',
    ce_id: eventId(record),
    ce_source: '/pagestream',
    ce_type: `pagestream.${record.topic}.v1`,
    'content-type': 'application/json',
    ...(record.traceparent !== undefined && { traceparent: record.traceparent }),
    ...(record.run !== undefined && { [runHeader]: record.run }),
    ...(record.submittedMs !== undefined && { [submittedHeader]: String(record.submittedMs) }),
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a record at the door: its payload, or why it is no event of its topic. */
export function decode(topic: TopicName, message: KafkaMessage): Decoded {
  if (message.value === null) return { payload: null }
  const broken = (code: 'message-not-json' | 'message-invalid' | 'message-version', why: string): Decoded => ({
    broken: { class: 'input', code, message: `reading a record of ${topic}: ${why}` },
  })
  const type = headerText(message.headers, 'ce_type')
  if (type !== undefined && type !== `pagestream.${topic}.v1`) return broken('message-version', `its type is ${printable(type)}`)
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(message.value))
  } catch {
    return broken('message-not-json', 'its value is no JSON text')
  }
  const checked = topicSchemas[topic].safeParse(value)
  if (checked.success) return { payload: checked.data }
  const [issue] = checked.error.issues
  return broken('message-invalid', `${issue?.path.join('.') || 'the value'}: ${issue?.message ?? 'breaks its schema'}`)
}

const traceparentForm = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
const runForm = /^[\w.:-]{1,200}$/
const millisecondsForm = /^\d{1,15}$/

/** What events that follow from a record carry on. Anybody may have written these headers: what has not their form is left behind. */
export function carriedOn(topic: TopicName, { headers, timestamp }: KafkaMessage): Pick<OutRecord, 'traceparent' | 'run' | 'submittedMs'> {
  const traceparent = headerText(headers, 'traceparent')
  const run = headerText(headers, runHeader)
  const submitted = headerText(headers, submittedHeader) ?? (topic === 'documents' ? timestamp : undefined)
  return {
    ...(submitted !== undefined && millisecondsForm.test(submitted) && { submittedMs: Number(submitted) }),
    ...(traceparent !== undefined && traceparentForm.test(traceparent) && { traceparent }),
    ...(run !== undefined && runForm.test(run) && { run }),
  }
}

const printable = (text: string): string => JSON.stringify(text.slice(0, 100))
