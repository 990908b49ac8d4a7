import { setTimeout as sleep } from 'node:timers/promises'
import type { Consumer } from 'kafkajs'

/** Longest wait for last commits and to leave a group, beyond that of a fetch. */
export const leaveMs = 5000

/** Leaves the group of a consumer, within so many ms: one that waits to be let in is not told in time. Answers whether it has left. */
export async function leaveGroup(consumer: Consumer, ms: number): Promise<boolean> {
  let hasLeft = false
  const left = consumer.disconnect().then(() => {
    hasLeft = true
  })
  left.catch(() => {}) // also when nobody waits for it any more
  await within(ms, left)
  return hasLeft
}

/** Waits for it, but no longer than so many ms. Rejects as it does. */
export async function within(ms: number, work: Promise<void> | undefined): Promise<void> {
  const enough = new AbortController()
  const waited = sleep(ms, undefined, { signal: enough.signal }).catch(() => {})
  await Promise.race([work, waited]).finally(() => enough.abort())
}
