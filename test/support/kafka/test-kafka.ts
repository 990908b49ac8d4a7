import { randomUUID } from 'node:crypto'
import { describe, inject } from 'vitest'
import { type KafkaConfig, kafkaConfigSchema } from '../../../src/config/kafka-config.ts'

export const brokers = inject('kafkaBrokers')
const missing = inject('kafkaMissing')

/** Tests over a real broker; skipped by name where none can be had, or where what they need besides is missing. */
export function describeKafka(name: string, tests: () => void, alsoMissing?: string): void {
  const needs = missing === '' ? alsoMissing : missing
  describe.skipIf(needs !== undefined)(needs === undefined ? name : `${name} (needs ${needs})`, tests)
}

/** Short times, so that tests of eviction are short, and names that no other test has. */
export function testKafkaConfig(more: Partial<KafkaConfig> = {}): KafkaConfig {
  const prefix = `t-${randomUUID().slice(0, 8)}`
  return {
    ...kafkaConfigSchema.parse({
      brokers: [...brokers],
      topicPrefix: prefix,
      groupPrefix: prefix,
      sessionTimeoutMs: 6000,
      heartbeatIntervalMs: 500,
      maxWaitMs: 200,
      partitions: 4,
    }),
    ...more,
  }
}
