import type { DeadLetter, OriginalRecord } from '../schema/events.ts'
import type { OutRecord } from './bus.ts'
import type { TakenRecord } from './intake.ts'
import type { Cause } from './stage-binding.ts'

export const causeOf = ({ traceparent, run, submittedMs }: TakenRecord): Cause => ({
  ...(traceparent !== undefined && { traceparent }),
  ...(run !== undefined && { run }),
  ...(submittedMs !== undefined && { submittedMs }),
})

/** What follows from a record carries its trace and its run on; a dead letter holds the record itself. */
export function causedBy(cause: TakenRecord, records: readonly OutRecord[], original: OriginalRecord | undefined): OutRecord[] {
  const carried = causeOf(cause)
  return records.map((record) => {
    const traced = { ...carried, ...record }
    return original && record.topic === 'dead-letter' && record.payload ? { ...traced, payload: { ...(record.payload as DeadLetter), original } } : traced
  })
}

const base64 = (bytes: Buffer | null): string | null => bytes?.toString('base64') ?? null

/** The record as it came, byte for byte; undefined in one process. */
export function originalOf({ origin, partition, offset }: TakenRecord): OriginalRecord | undefined {
  if (!origin) return undefined
  const { topic, timestamp, key, value, headers } = origin
  const bytes = { key: base64(key), value: base64(value), headers: headers.map(([name, bytes]): [string, string | null] => [name, base64(bytes)]) }
  return { topic, partition, offset: String(offset), timestamp, ...bytes }
}
