// Writes docs/asyncapi.json: an AsyncAPI 3 document of every topic, from the schemas and the topic plan. `--check` only compares.
import { z } from 'zod'
import { kafkaConfigSchema } from '../dist/config/kafka-config.js'
import { isWorkTopic, kafkaTopic } from '../dist/consumers/kafka/topic-names.js'
import { wantedTopics } from '../dist/consumers/kafka/topic-plan.js'
import { lanes } from '../dist/schema/lane.js'
import { pagesPerKey, topicSchemas } from '../dist/schema/topics.js'
import { writeGenerated } from './generated-file.mjs'

const pageKey = `Document id, a slash, and the page index divided by ${pagesPerKey}, rounded down`
const documentKey = 'Document id'

/** What a reader of each topic should know that its schema does not say. */
const about = {
  documents: { summary: 'A document to be read', key: documentKey, action: 'receive' },
  'pages.rendered': { summary: 'A page with its text layer', key: pageKey },
  'pages.gated': { summary: 'Whether and where a page holds writing', key: pageKey },
  'pages.layout': { summary: 'The blocks of a page, not yet read', key: pageKey },
  'pages.recognized': { summary: 'The end of a page, or of a document that could not be opened', key: documentKey },
  blocks: { summary: 'A block of a page, as it finishes', key: documentKey },
  'documents.assembled': { summary: 'The end of a document', key: documentKey },
  chunks: { summary: 'A retrieval chunk; no value: the chunk is gone', key: 'Chunk id' },
  'dead-letter': { summary: 'What failed for good, with its record', key: 'Document id, or the key of a record that does not say' },
}

const defaults = kafkaConfigSchema.parse({})
const specs = wantedTopics(defaults, ['live'])
const topics = Object.keys(topicSchemas)
const idOf = (topic) => topic.replaceAll('.', '-')

function headersOf(topic) {
  const constant = (value) => ({ type: 'string', const: value })
  return {
    type: 'object',
    required: ['ce_specversion', 'ce_id', 'ce_source', 'ce_type', 'content-type'],
    properties: {
      ce_specversion: constant('1.0'),
      ce_id: { type: 'string', pattern: '^[0-9a-f]{32}$', description: 'Hash of what the event is about: an event that is sent again has the same' },
      ce_source: constant('/pagestream'),
      ce_type: constant(`pagestream.${topic}.v1`),
      'content-type': constant('application/json'),
      traceparent: { type: 'string', description: 'W3C trace context' },
    },
  }
}

function payloadOf(topic) {
  const { $schema: _, ...schema } = z.toJSONSchema(topicSchemas[topic], { io: 'input', unrepresentable: 'any', target: 'draft-7' })
  return topic === 'chunks' ? { oneOf: [schema, { type: 'null' }] } : schema
}

function channelOf({ topic, partitions, replicationFactor, settings }) {
  const parameters = { prefix: { default: defaults.topicPrefix, description: 'kafka.topicPrefix' } }
  if (isWorkTopic(topic)) parameters.lane = { enum: [...lanes], default: lanes[0] }
  const topicConfiguration = { 'cleanup.policy': [settings['cleanup.policy']], 'max.message.bytes': Number(settings['max.message.bytes']) }
  if (settings['retention.ms']) topicConfiguration['retention.ms'] = Number(settings['retention.ms'])
  return {
    address: kafkaTopic('{prefix}', topic, '{lane}'),
    summary: about[topic].summary,
    parameters,
    messages: { [idOf(topic)]: { $ref: `#/components/messages/${idOf(topic)}` } },
    bindings: { kafka: { partitions, replicas: replicationFactor, topicConfiguration } },
  }
}

const messageOf = (topic) => ({
  name: `pagestream.${topic}.v1`,
  summary: about[topic].summary,
  contentType: 'application/json',
  headers: headersOf(topic),
  payload: payloadOf(topic),
  bindings: { kafka: { key: { type: 'string', description: about[topic].key } } },
})

const operationOf = (topic) => ({
  action: about[topic].action ?? 'send',
  channel: { $ref: `#/channels/${idOf(topic)}` },
  messages: [{ $ref: `#/channels/${idOf(topic)}/messages/${idOf(topic)}` }],
})

const each = (render) => Object.fromEntries(topics.map((topic) => [idOf(topic), render(topic)]))
const document = {
  asyncapi: '3.0.0',
  info: {
    title: 'pagestream',
    version: '1.0.0',
    description: 'Documents come in on `documents`; blocks, documents and chunks leave. Rules of order and repetition: docs/topics.md.',
    license: { name: 'Apache-2.0' },
  },
  defaultContentType: 'application/json',
  channels: Object.fromEntries(specs.map((spec) => [idOf(spec.topic), channelOf(spec)])),
  operations: each(operationOf),
  components: { messages: each(messageOf) },
}
writeGenerated('docs/asyncapi.json', `${JSON.stringify(document, null, 2)}\n`)
