import { describe } from 'vitest'
import { brokerJars } from '../../../src/demo/kafka/broker-jars.ts'

const jars = await brokerJars()
if ('missing' in jars && process.env.CI) throw new Error(`tests that start brokers of their own need ${jars.missing}`)

/**
 * Tests that stop, kill or set up a broker, which is their own even where the environment names others: `libs` is the folder of Apache Kafka's jars,
 * from which they start it. Skipped by name where there are none, or where what they need besides is missing.
 */
export function describeOwnBroker(name: string, tests: (libs: string) => void, alsoMissing?: string): void {
  const needs = 'missing' in jars ? jars.missing : alsoMissing
  describe.skipIf(needs !== undefined)(needs === undefined ? name : `${name} (needs ${needs})`, () => tests('missing' in jars ? '' : jars.folder))
}
