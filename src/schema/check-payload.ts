import { PagestreamError } from './failure.ts'
import { type TopicName, topicSchemas } from './topics.ts'

/** Throws `internal` for a payload that breaks its topic's schema. */
export type PayloadCheck = (topic: TopicName, payload: unknown) => void

export const checkPayload: PayloadCheck = (topic, payload) => {
  const checked = topicSchemas[topic].safeParse(payload)
  if (!checked.success) throw new PagestreamError('internal', `publishing to ${topic}: the payload breaks its schema`, { cause: checked.error })
}
