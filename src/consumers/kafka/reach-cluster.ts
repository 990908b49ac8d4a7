import type { KafkaConfig } from '../../config/kafka-config.ts'
import { PagestreamError } from '../../schema/failure.ts'
import { clientFailure, isPassing } from './client-failure.ts'
import { kafkaClient } from './kafka-client.ts'

const longestPauseMs = 5000

export interface ReachOptions {
  /** How long a broker that does not answer is waited for; otherwise it is asked once. */
  readonly patienceMs?: number
  /** Names on the broker of topics that must be there. */
  readonly topics?: readonly string[]
  /** Told before each wait. */
  waiting?(error: PagestreamError, pauseMs: number): void
}

/**
 * Asks whether a broker answers and takes us. The client itself would try for long whatever the reason is; here what
 * cannot heal is told at once. Rejects with `configuration`, `kafka-refused`, `kafka-forbidden`, `kafka-unreachable`,
 * `kafka-topic-missing`.
 */
export async function reachCluster(config: KafkaConfig, { patienceMs = 0, topics = [], waiting }: ReachOptions = {}): Promise<void> {
  const until = Date.now() + patienceMs
  for (let tries = 1; ; tries++) {
    const admin = kafkaClient(config, { retries: 0, requestTimeout: config.connectTimeoutMs }).admin()
    try {
      await admin.connect()
      requireAll(topics, new Set(await admin.listTopics()))
      return
    } catch (error) {
      const failure = clientFailure(error, `connecting to ${config.brokers.join(', ')}`)
      const pauseMs = Math.min(longestPauseMs, 250 * 2 ** Math.min(tries, 10), until - Date.now())
      if (!isPassing(error) || pauseMs <= 0) throw failure
      waiting?.(failure, pauseMs)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    } finally {
      await admin.disconnect().catch(() => undefined)
    }
  }
}

function requireAll(topics: readonly string[], there: ReadonlySet<string>): void {
  const missing = topics.filter((name) => !there.has(name))
  if (missing.length === 0) return
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : ''
  throw new PagestreamError('kafka-topic-missing', `looking for topics: not there, or not to be seen by us: ${missing.slice(0, 3).join(', ')}${more}`)
}
