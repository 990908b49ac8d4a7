import type { Attributes } from './tracer.ts'

/**
 * Names of OpenTelemetry's semantic conventions 1.45 that we use. The messaging and GenAI ones still move from release to release, so they stand here
 * and not in a package.
 */

export interface ProcessedRecord {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
  readonly group: string
}

/** Of work on a record of a topic. */
export const processing = ({ topic, partition, offset, group }: ProcessedRecord): Attributes => ({
  'messaging.system.name': 'kafka',
  'messaging.operation.type': 'process',
  'messaging.operation.name': 'process',
  'messaging.destination.name': topic,
  'messaging.destination.partition.id': String(partition),
  'messaging.consumer.group.name': group,
  'kafka.offset': String(offset),
})

/** Of a record that is sent. */
export const sending = (topic: string): Attributes => ({
  'messaging.system.name': 'kafka',
  'messaging.operation.type': 'send',
  'messaging.operation.name': 'send',
  'messaging.destination.name': topic,
})

/** Of a question to a model. */
export const asking = (engine: string, model: string, maxTokens: number): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': engine,
  'gen_ai.request.model': model,
  'gen_ai.request.max_tokens': maxTokens,
})

/** Of its answer. */
export const answered = (answer: {
  readonly finish: string
  readonly promptTokens: number
  readonly outputTokens: number
  readonly firstTokenMs: number
}): Attributes => ({
  'gen_ai.response.finish_reasons': [answer.finish],
  'gen_ai.usage.input_tokens': answer.promptTokens,
  'gen_ai.usage.output_tokens': answer.outputTokens,
  'gen_ai.server.time_to_first_token': answer.firstTokenMs / 1000,
})
