import { randomUUID } from 'node:crypto'
import { describe, inject } from 'vitest'
import { type KafkaConfig, kafkaConfigSchema } from '../../../src/config/kafka-config.ts'

export const brokers = inject('kafkaBrokers')
const missing = inject('kafkaMissing')

/** Tests over a real broker; skipped by name where none can be had. */
export function describeKafka(name: string, tests: () => void): void {
  describe.skipIf(brokers.length === 0)(missing === '' ? name : `${name} (needs ${missing})`, tests)
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
