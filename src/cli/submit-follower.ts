import { patiently } from '../backfill/patiently.ts'
import type { KafkaConfig } from '../config/kafka-config.ts'
import { endOf, type ReadRecord, readTopic } from '../consumers/kafka/topic-reader.ts'
import type { Submitted } from '../inputs/submitter.ts'
import type { BlockEvent, DocumentAssembled } from '../schema/events.ts'
import { counted } from './counted.ts'
import { print } from './print.ts'
import type { SubmitFlags } from './submit-command.ts'
import { excerpt, shown } from './terminal-text.ts'

type Followed = 'documents.assembled' | 'blocks'

const lookMs = 50

/**
 * Waits for the end of what was submitted, and prints what comes of it meanwhile. Where to read from is asked before anything is
 * submitted, and readings that break off go on where they were: an end that is told while there is no connection is heard all the same.
 */
export class SubmitFollower {
  readonly #kafka: KafkaConfig
  readonly #flags: SubmitFlags
  readonly #stop = new AbortController()
  /** Names of what was submitted, by id and revision. */
  readonly #submitted = new Map<string, string>()
  readonly #open = new Set<string>()
  /** Next offset of each partition. */
  readonly #positions = new Map<Followed, Map<number, bigint>>()
  #failed = 0
  #error: unknown

  private constructor(kafka: KafkaConfig, flags: SubmitFlags) {
    this.#kafka = kafka
    this.#flags = flags
  }

  /** Rejects with `kafka-*`. */
  static async start(kafka: KafkaConfig, flags: SubmitFlags): Promise<SubmitFollower> {
    const follower = new SubmitFollower(kafka, flags)
    for (const topic of flags.follow ? (['documents.assembled', 'blocks'] as const) : (['documents.assembled'] as const)) {
      follower.#positions.set(topic, await endOf(kafka, topic))
      follower.#hear(topic).catch((error) => {
        follower.#error ??= error
      })
    }
    return follower
  }

  expect({ documentId, revision, source }: Submitted): void {
    this.#submitted.set(`${documentId}/${revision}`, source.name)
    this.#open.add(`${documentId}/${revision}`)
  }

  /** Resolves when all has come to its end: how many are not complete. Rejects with `kafka-*`. */
  async end(): Promise<number> {
    try {
      await this.#until(() => this.#open.size === 0)
      if (this.#submitted.size > 0 && this.#flags.follow) {
        // Blocks are written before the end of their document, and may be heard after it.
        const ends = await endOf(this.#kafka, 'blocks')
        await this.#until(() => [...ends].every(([partition, end]) => (this.#positions.get('blocks')?.get(partition) ?? 0n) >= end))
      }
      return this.#failed
    } finally {
      this.#stop.abort()
    }
  }

  async #until(reached: () => boolean): Promise<void> {
    while (!reached()) {
      if (this.#error !== undefined) throw this.#error
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  }

  async #hear(topic: Followed): Promise<void> {
    const { signal } = this.#stop
    const offsets = this.#positions.get(topic) ?? new Map<number, bigint>()
    const follow = async (): Promise<void> => {
      for await (const record of readTopic(this.#kafka, { topic, from: 'latest', offsets: new Map(offsets), until: 'stopped', signal })) {
        this.#take(topic, record)
        offsets.set(record.partition, record.offset + 1n)
      }
    }
    await patiently(follow, signal)
  }

  #take(topic: Followed, { payload }: ReadRecord): void {
    if (payload === null) return
    if (topic === 'blocks') this.#block(payload as BlockEvent)
    else this.#document(payload as DocumentAssembled)
  }

  #block({ documentId, revision, block }: BlockEvent): void {
    const name = this.#submitted.get(`${documentId}/${revision}`)
    if (name === undefined) return
    if (this.#flags.json) print(JSON.stringify({ event: 'block', documentId, revision, name, block }))
    else print(`  ${shown(name)}  p. ${block.page + 1}  ${block.kind.padEnd(12)} ${excerpt(block.text ?? '')}`)
  }

  #document(event: DocumentAssembled): void {
    if (!this.#open.delete(`${event.documentId}/${event.revision}`)) return
    const { status, source, pages, failure } = event
    if (status !== 'complete') this.#failed++
    const why = failure ? `, ${failure.code}: ${failure.message}` : ''
    if (this.#flags.json) print(JSON.stringify({ event: 'document', ...event }))
    else print(shown(`${status.padEnd(9)} ${source.name}: ${counted(pages, 'page')}${why}`))
  }
}
