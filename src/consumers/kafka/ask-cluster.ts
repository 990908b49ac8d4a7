import type { Admin } from 'kafkajs'
import type { KafkaConfig } from '../../config/kafka-config.ts'
import { clientFailure, isPassing } from './client-failure.ts'
import { kafkaClient } from './kafka-client.ts'

const mostTries = 10
const pauseMs = 200

/** Asks the cluster something. Leaders that move are waited for shortly, which the client does not do for every question. Rejects with `kafka-*`. */
export async function askCluster<T>(config: KafkaConfig, action: string, ask: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafkaClient(config).admin()
  try {
    await admin.connect()
    for (let tries = 1; ; tries++) {
      try {
        return await ask(admin)
      } catch (error) {
        if (!isPassing(error) || tries >= mostTries) throw error
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  } catch (error) {
    throw clientFailure(error, action)
  } finally {
    await admin.disconnect().catch(() => undefined)
  }
}
