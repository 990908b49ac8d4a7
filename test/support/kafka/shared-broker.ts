import type { TestProject } from 'vitest/node'
import { findKafka } from '../../../src/demo/kafka/find-kafka.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Addresses of a real broker, empty when there is none. */
    kafkaBrokers: readonly string[]
    kafkaMissing: string
  }
}

/** One broker for all tests of the tier: each takes a topic prefix and a group prefix of its own. */
export default async function sharedBroker(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const found = await findKafka()
  if ('missing' in found) {
    if (process.env.CI) throw new Error(`the tests over Kafka need ${found.missing}`)
    project.provide('kafkaBrokers', [])
    project.provide('kafkaMissing', found.missing)
    return undefined
  }
  project.provide('kafkaBrokers', [...found.brokers])
  project.provide('kafkaMissing', '')
  return () => found.close()
}
