import type { Lane } from '../../schema/lane.ts'
import { type TopicName, topicSchemas } from '../../schema/topics.ts'

/** Topics that stages take their work from; each lane has its own. The others are for people and tools and have no lane. */
export const workTopics = ['documents', 'pages.rendered', 'pages.gated', 'pages.layout', 'pages.recognized'] as const satisfies readonly TopicName[]

export const isWorkTopic = (topic: TopicName): boolean => (workTopics as readonly TopicName[]).includes(topic)

/** `<prefix>.<name>.v1`, with the lane behind it for work. */
export const kafkaTopic = (prefix: string, topic: TopicName, lane: Lane): string => `${prefix}.${topic}.v1${isWorkTopic(topic) ? `.${lane}` : ''}`

/** The topic of a name on the broker, undefined for one that is none of ours. */
export function topicOf(prefix: string, name: string, lane: Lane): TopicName | undefined {
  return (Object.keys(topicSchemas) as TopicName[]).find((topic) => kafkaTopic(prefix, topic, lane) === name)
}
