import type { DeadLetter, OriginalRecord } from '../schema/events.ts'
import type { OutRecord } from './bus.ts'
import type { TakenRecord } from './intake.ts'
import type { Cause } from './stage-binding.ts'

export const causeOf = ({ traceparent, run }: TakenRecord): Cause => ({
  ...(traceparent !== undefined && { traceparent }),
  ...(run !== undefined && { run }),
})

/** What follows from a record carries its trace and its run on; a dead letter holds the record itself. */
export function causedBy(cause: TakenRecord, records: readonly OutRecord[]): OutRecord[] {
  const carried = causeOf(cause)
  return records.map((record) => {
    const traced = { ...carried, ...record }
    return record.topic === 'dead-letter' && record.payload
      ? { ...traced, payload: { original: originalOf(cause), ...(record.payload as DeadLetter) } }
      : traced
  })
}

/** The record as it came. What was parsed is written again: its text may differ in blanks. */
function originalOf({ origin, partition, offset, key, payload }: TakenRecord): OriginalRecord | undefined {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return origin && { ...origin, partition, offset: String(offset), key: base64(key), value: payload === null ? null : base64(JSON.stringify(payload)) }
}
