import type { Config } from '../config/config.ts'
import { assembleOptions } from '../consumers/chain/assemble-options.ts'
import { type ChainWorker, chainWorkers } from '../consumers/chain/chain-workers.ts'
import type { IntakeState } from '../consumers/intake-gate.ts'
import { KafkaBus } from '../consumers/kafka/kafka-bus.ts'
import { reachCluster } from '../consumers/kafka/reach-cluster.ts'
import { wantedTopics } from '../consumers/kafka/topic-plan.ts'
import { WindowSlots } from '../consumers/window-slots.ts'
import { fetchingReader } from '../inputs/fetching-reader.ts'
import { InputCache } from '../inputs/input-cache.ts'
import { documentPool } from '../runtime/documents/document-pool.ts'
import { documentReader } from '../runtime/documents/open-document-reader.ts'
import { ppOcr } from '../runtime/pp-ocr/pp-ocr.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { Lane } from '../schema/lane.ts'
import type { StageName } from '../schema/stage.ts'
import { BlobSink } from '../store/blob-sink.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { openStore } from '../store/open-store.ts'
import { patientStore } from '../store/patient-store.ts'
import { StoreArtifacts } from '../store/store-artifacts.ts'
import { Counters } from '../telemetry/counters.ts'
import { storeAnswers } from './store-answers.ts'

export interface WorkerOptions {
  readonly config: Config
  readonly stages: ReadonlySet<StageName>
  readonly lanes: readonly Lane[]
  /** The one that `store.url` names when absent. */
  readonly store?: BlobStore
  /** The worker cannot go on: the process must end. */
  readonly onFatal: (error: Error) => void
  /** What a person should know while it goes on: it waits for a broker, for an engine, or has stopped taking in. */
  readonly onNotice?: (line: string) => void
}

export interface WorkerHealth {
  readonly ok: boolean
  readonly stages: readonly { readonly stage: StageName; readonly lane: Lane; readonly state: IntakeState }[]
}

function noticeOf(state: IntakeState, stage: StageName, lane: Lane, { deadLetterRate, deadLetterPages, breakerPauseMs }: Config['worker']): string {
  switch (state) {
    case 'open':
      return `${stage} (${lane}): takes in again`
    case 'waiting':
      return `${stage} (${lane}): what it works with does not answer; it takes nothing in and tries again until it does`
    case 'stopped':
      return (
        `${stage} (${lane}): more than ${Math.round(deadLetterRate * 100)} % of the last ${deadLetterPages} pages failed; ` +
        `it takes nothing in for ${Math.round(breakerPauseMs / 1000)} s or until it is started anew (pagestream dlq list)`
      )
  }
}

/** Where the outputs of a revision of a document lie in the store. */
export const outputPrefix = (documentId: string, revision: string): string => `outputs/${documentId}/${revision}`

/** Stages of the chain over Kafka, in one process: one bus a lane, one set of engines for all. */
export class Worker implements AsyncDisposable {
  readonly counters = new Counters()
  readonly #options: WorkerOptions
  readonly #workers: ChainWorker[] = []
  readonly #open: AsyncDisposable[] = []
  #watchdog: NodeJS.Timeout | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  /** Joins the groups of all stages. Rejects with `configuration`, `kafka-*`, `store-failed`. */
  async start(): Promise<void> {
    const { config, stages, lanes, onFatal, onNotice } = this.#options
    await reachCluster(config.kafka, {
      patienceMs: config.worker.patienceMs,
      topics: wantedTopics(config.kafka, lanes).map(({ name }) => name),
      waiting: ({ message }, pauseMs) => onNotice?.(`${message}; again in ${Math.round(pauseMs / 100) / 10} s`),
    })
    const bare = this.#options.store ?? (await openStore(config.store))
    const store = patientStore(bare)
    const inputs = new InputCache(config, store)
    const reader = fetchingReader(documentReader(config), inputs)
    const documents = documentPool(reader, config, () => undefined)
    const ocr = ppOcr(config)
    this.#open.push(documents, reader, inputs, ocr)
    const slots = new WindowSlots({ perStage: config.worker.windows, bulkEvery: config.worker.bulkEvery })
    const {
      maxPagesInFlight,
      maxBufferedBytes: maxBytesBuffered,
      deadLetterRate,
      deadLetterPages,
      breakerPauseMs,
      retryAttempts: attempts,
      retryMs,
    } = config.worker
    for (const lane of lanes) {
      const bus = await KafkaBus.connect(config.kafka, lane)
      this.#open.unshift({ [Symbol.asyncDispose]: () => bus.close() })
      const parts = {
        ...{ config, bus, documents, finder: ocr.finder, reader: ocr.reader, counters: this.counters, shared: true },
        artifacts: new StoreArtifacts(store),
        sinkOf: (documentId: string, revision: string) => new BlobSink(store, outputPrefix(documentId, revision)),
        assembleOptions: (...[source, sink]: [Parameters<typeof assembleOptions>[0], Parameters<typeof assembleOptions>[3]]) =>
          assembleOptions(source, config, documents, sink),
      }
      this.#workers.push(
        ...chainWorkers(stages, parts, (stage) => ({
          ...{ window: config.window, maxPagesInFlight, maxBytesBuffered, lane, onFatal, slots, bulkPages: config.worker.bulkPages },
          patience: {
            ...{ deadLetterRate, deadLetterPages, breakerPauseMs, retry: { attempts, ms: retryMs } },
            probe: ({ code }) => (code === 'store-failed' ? storeAnswers(bare) : undefined),
            changed: (state) => onNotice?.(noticeOf(state, stage, lane, config.worker)),
          },
        })),
      )
    }
    for (const worker of [...this.#workers].reverse()) await worker.start()
    this.#watch()
  }

  /** Whether each stage and lane takes in; `ok` when all do. */
  get health(): WorkerHealth {
    const stages = this.#workers.map(({ stage, lane, state }) => ({ stage, lane, state }))
    return { ok: stages.every(({ state }) => state === 'open'), stages }
  }

  /** A member of a group that hangs keeps its partitions for ever, as it goes on to send heartbeats: it must end itself. */
  #watch(): void {
    const { config, onFatal } = this.#options
    const { stallMs } = config.worker
    this.#watchdog = setInterval(() => {
      const stuck = this.#workers.find((worker) => worker.stalledMs() > stallMs)
      if (!stuck) return
      clearInterval(this.#watchdog)
      onFatal(new PagestreamError('worker-stalled', `${stuck.stage}: it has pages in hand and has finished none for ${stallMs} ms`))
    }, Math.min(stallMs, 10_000) / 2).unref()
  }

  /** Takes nothing new in, finishes or gives back what is in hand, commits and leaves the groups. */
  async drain(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.drain()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#watchdog)
    await this.drain()
    for (const part of this.#open) await part[Symbol.asyncDispose]()
  }
}
