import type { IHeaders, KafkaMessage, Message } from 'kafkajs'
import type { OriginalRecord } from '../../schema/events.ts'
import { type Failure, PagestreamError } from '../../schema/failure.ts'
import { type TopicName, type TopicPayload, topicSchemas } from '../../schema/topics.ts'
import type { OutRecord } from '../bus.ts'
import { eventId } from './event-id.ts'

/** Names the run that asked for the work. It does not follow from the payload: dead letters keep it, a replay has it again. */
export const runHeader = 'pagestream-run'

/** A decoded record: its payload, null for a tombstone, or why it has none. */
export type Decoded =
  | { readonly payload: TopicPayload<TopicName> | null }
  | { readonly failure: Failure; readonly original: Omit<OriginalRecord, 'topic' | 'partition'> }

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
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a record at the door. What is no event of its topic is kept as it came, with the reason. */
export function decode(topic: TopicName, message: KafkaMessage): Decoded {
  if (message.value === null) return { payload: null }
  const broken = (code: 'message-not-json' | 'message-invalid' | 'message-version', why: string): Decoded => ({
    failure: { class: 'input', code, message: `reading a record of ${topic}: ${why}` },
    original: originalOf(message),
  })
  const type = headerText(message.headers?.ce_type)
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

/** The bytes of a record that a dead letter keeps; they may be anything, so they travel as base64. */
export function originalOf({ key, value, headers, offset, timestamp }: KafkaMessage): Omit<OriginalRecord, 'topic' | 'partition'> {
  return {
    offset,
    timestamp,
    key: key?.toString('base64') ?? null,
    value: value?.toString('base64') ?? null,
    headers: headerList(headers),
  }
}

/** Headers that say what the payload says too: an event that is made again has them again. */
const ownHeaders = new Set(['ce_specversion', 'ce_id', 'ce_source', 'ce_type', 'content-type', 'traceparent'])

/** The headers that an event of ours does not have, in base64. */
export function foreignHeaders(headers: IHeaders | undefined): [string, string][] {
  for (const name in headers) if (!ownHeaders.has(name)) return headerList(headers).filter(([found]) => !ownHeaders.has(found))
  return []
}

/** Names and values, in base64. */
function headerList(headers: IHeaders | undefined): [string, string][] {
  return Object.entries(headers ?? {}).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).flatMap((value) =>
      value === undefined ? [] : [[name, Buffer.from(value).toString('base64')] as [string, string]],
    ),
  )
}

export function headerText(value: IHeaders[string]): string | undefined {
  const first = Array.isArray(value) ? value[0] : value
  return first === undefined ? undefined : first.toString()
}

const printable = (text: string): string => JSON.stringify(text.slice(0, 100))
