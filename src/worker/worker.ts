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
import { readPasswords } from '../inputs/password-file.ts'
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
import { HealthServer, stalledStage } from '../telemetry/health-server.ts'
import type { WorkerView } from '../telemetry/worker-view.ts'
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
  readonly #options: WorkerOptions
  readonly #lanes: WorkerView['lanes']
  readonly #workers: ChainWorker[] = []
  readonly #open: AsyncDisposable[] = []
  #watchdog: NodeJS.Timeout | undefined
  #phase: WorkerView['phase'] = 'starting'
  #notice: WorkerView['notice']
  #server: HealthServer | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#lanes = options.lanes.map((lane) => ({ lane, counters: new Counters() }))
  }

  /** Joins the groups of all stages. Rejects with `configuration`, `port-unavailable`, `kafka-*`, `store-failed`. */
  async start(): Promise<void> {
    const { config, stages } = this.#options
    await readPasswords(config.inputs.passwordsFile) // one that cannot be read is told at once
    const onFatal = (error: Error) => this.#end(error)
    const onNotice = (line: string) => this.#tell(line)
    if (config.worker.port > 0) this.#server = await HealthServer.listen(config.worker.host, config.worker.port, () => this.view)
    await reachCluster(config.kafka, {
      patienceMs: config.worker.patienceMs,
      topics: wantedTopics(config.kafka, this.#options.lanes).map(({ name }) => name),
      waiting: ({ message }, pauseMs) => onNotice(`${message}; again in ${Math.round(pauseMs / 100) / 10} s`),
    })
    const bare = this.#options.store ?? (await openStore(config.store))
    const store = patientStore(bare)
    const inputs = new InputCache(config, store)
    const reader = fetchingReader(documentReader(config), inputs, () => readPasswords(config.inputs.passwordsFile))
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
    for (const { lane, counters } of this.#lanes) {
      const bus = await KafkaBus.connect(config.kafka, lane)
      this.#open.unshift({ [Symbol.asyncDispose]: () => bus.close() })
      const parts = {
        ...{ config, bus, documents, finder: ocr.finder, reader: ocr.reader, counters, shared: true },
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
            changed: (state) => onNotice(noticeOf(state, stage, lane, config.worker)),
          },
        })),
      )
    }
    for (const worker of [...this.#workers].reverse()) await worker.start()
    this.#phase = 'running'
    this.#watch()
  }

  /** How it stands. */
  get view(): WorkerView {
    const stages = this.#workers.map((worker) => {
      const { stage, lane, state, partitions, pagesInFlight } = worker
      return { stage, lane, state, partitions, pagesInFlight, stalledMs: worker.stalledMs() }
    })
    return { phase: this.#phase, stages, lanes: this.#lanes, notice: this.#notice, stallMs: this.#options.config.worker.stallMs }
  }

  #tell(text: string): void {
    this.#notice = { at: new Date().toISOString(), text }
    this.#options.onNotice?.(text)
  }

  #end(error: Error): void {
    this.#notice = { at: new Date().toISOString(), text: error.message }
    this.#options.onFatal(error)
  }

  /** A member of a group that hangs keeps its partitions for ever, as it goes on to send heartbeats: it must end itself. */
  #watch(): void {
    const { stallMs } = this.#options.config.worker
    this.#watchdog = setInterval(() => {
      const stuck = stalledStage(this.view)
      if (!stuck) return
      clearInterval(this.#watchdog)
      this.#end(new PagestreamError('worker-stalled', `${stuck.stage}: it has pages in hand and has finished none for ${stallMs} ms`))
    }, Math.min(stallMs, 10_000) / 2).unref()
  }

  /** Takes nothing new in, finishes or gives back what is in hand, commits and leaves the groups. */
  async drain(): Promise<void> {
    this.#phase = 'stopping'
    await Promise.all(this.#workers.map((worker) => worker.drain()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#watchdog)
    await this.drain()
    for (const part of this.#open) await part[Symbol.asyncDispose]()
    await this.#server?.[Symbol.asyncDispose]()
  }
}
