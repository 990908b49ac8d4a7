import type { Bus } from '../consumers/bus.ts'
import { Intake, type TakenRecord } from '../consumers/intake.ts'
import type { TopicName, TopicPayload } from '../schema/topics.ts'

/** Reads one topic at the pace of its reader: a record is committed when the reader asks for the next one. */
export class EventFeed<T extends TopicName> {
  readonly #intake: Intake

  constructor(bus: Bus, topic: T, highMark: number, on: { ready(): void; fatal(error: Error): void }) {
    this.#intake = new Intake(bus, { topic, group: `parse-${topic}`, highMark, highMarkBytes: Infinity }, { ...on, staleCommit: () => {}, committed: () => {} })
  }

  async start(): Promise<void> {
    await this.#intake.start()
  }

  /** The next record that is there, undefined when there is none now. Hand it to `finish` once it was handled. */
  next(): { payload: TopicPayload<T>; record: TakenRecord } | undefined {
    const record = this.#intake.next()
    return record && { record, payload: record.payload as TopicPayload<T> }
  }

  finish(record: TakenRecord): void {
    this.#intake.finish(record)
  }

  async close(): Promise<void> {
    await this.#intake.close()
  }
}
