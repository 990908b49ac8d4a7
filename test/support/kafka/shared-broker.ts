import type { TestProject } from 'vitest/node'
import { type FoundKafka, findKafka } from '../../../src/demo/kafka/find-kafka.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Addresses of a real broker, empty when there is none. */
    kafkaBrokers: readonly string[]
    kafkaMissing: string
  }
}

let found: FoundKafka | undefined

/** One broker for all tests of the tier: each takes a topic prefix and a group prefix of its own. */
export async function setup(project: TestProject): Promise<void> {
  const kafka = await findKafka()
  if ('missing' in kafka) {
    if (process.env.CI) throw new Error(`the tests over Kafka need ${kafka.missing}`)
    project.provide('kafkaBrokers', [])
    project.provide('kafkaMissing', kafka.missing)
    return
  }
  found = kafka
  project.provide('kafkaBrokers', [...kafka.brokers])
  project.provide('kafkaMissing', '')
}

export async function teardown(): Promise<void> {
  await found?.close()
}
