import type { Config } from '../config/config.ts'
import { reachCluster } from '../consumers/kafka/reach-cluster.ts'
import { wantedTopics } from '../consumers/kafka/topic-plan.ts'
import { readPasswords } from '../inputs/password-file.ts'
import { deviceInfo } from '../runtime/devices/pin-device.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { Lane } from '../schema/lane.ts'
import type { StageName } from '../schema/stage.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { HealthServer, stalledStage } from '../telemetry/health-server.ts'
import { type Log, type LogEntry, sentenceOf } from '../telemetry/log/log.ts'
import { redacted } from '../telemetry/log/redact.ts'
import type { WorkerView } from '../telemetry/worker-view.ts'
import { LaneChain } from './lane-chain.ts'
import type { LaneRunner } from './lane-runner.ts'
import { LaneThread } from './lane-thread.ts'
import { type SharedEngine, shareEngine } from './shared-engine.ts'

export interface WorkerOptions {
  readonly config: Config
  readonly stages: ReadonlySet<StageName>
  /** The first runs in this thread, each further one in a thread of its own that gives way to it. */
  readonly lanes: readonly Lane[]
  /** For the first lane; the one that `store.url` names when absent. */
  readonly store?: BlobStore
  /** The worker cannot go on: the process must end. */
  readonly onFatal: (error: Error) => void
  /** What happens in it: it waits for a broker, for an engine, has stopped taking in, or a page has failed for good. */
  readonly log?: Log
}

/** Stages of the chain over Kafka, in one process: each lane has a thread, a bus and engines of its own. */
export class Worker implements AsyncDisposable {
  readonly #options: WorkerOptions
  #lanes: readonly LaneRunner[] = []
  #watchdog: NodeJS.Timeout | undefined
  #phase: WorkerView['phase'] = 'starting'
  #notice: WorkerView['notice']
  #lastError: WorkerView['lastError']
  #server: HealthServer | undefined
  #engineRestarts = 0
  #engine: SharedEngine | undefined
  #sharing: Promise<SharedEngine | undefined> | undefined
  readonly #stopping = new AbortController()

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  /** Joins the groups of all stages. Rejects with `configuration`, `port-unavailable`, `kafka-*`, `store-failed`, `engine-*`, `model-refused`. */
  async start(): Promise<void> {
    const { config, stages, lanes, store } = this.#options
    await readPasswords(config.inputs.passwordsFile) // one that cannot be read is told at once
    const onFatal = (error: Error) => this.#end(error)
    const log: Log = (entry) => this.#tell(entry)
    if (config.worker.port > 0) this.#server = await HealthServer.listen(config.worker.host, config.worker.port, () => this.view)
    await reachCluster(config.kafka, {
      patienceMs: config.worker.patienceMs,
      topics: wantedTopics(config.kafka, lanes).map(({ name }) => name),
      waiting: ({ message, code }, pauseMs) => log({ level: 'warn', code, text: `${message}; again in ${Math.round(pauseMs / 100) / 10} s` }),
    })
    const on = { fatal: onFatal, log }
    const looks = stages.has('layout') || stages.has('region-recognition')
    if (looks) {
      this.#sharing = shareEngine(
        config,
        lanes,
        { onNotice: (text, level = 'info') => log({ level, text }), onRestart: () => this.#engineRestarts++, onExit: onFatal },
        this.#stopping.signal,
      )
      this.#engine = await this.#sharing
    }
    const shared = this.#engine?.config ?? config
    this.#lanes = lanes.map((lane, index) =>
      index === 0 ? new LaneChain({ config: shared, stages, lane, store }, on) : new LaneThread({ config: shared, stages, lane }, on),
    )
    const starts = await Promise.allSettled(this.#lanes.map((lane) => lane.start()))
    for (const started of starts) if (started.status === 'rejected') throw started.reason
    this.#phase = 'running'
    this.#watch()
  }

  /** How it stands. */
  get view(): WorkerView {
    const lanes = this.#lanes.map(({ view }) => view)
    const stages = lanes.flatMap((lane) => lane.stages)
    const { stallMs } = this.#options.config.worker
    return {
      phase: this.#phase,
      stages,
      lanes,
      notice: this.#notice,
      lastError: this.#lastError,
      engineRestarts: this.#engineRestarts,
      device: deviceInfo(),
      stallMs,
    }
  }

  /** What became of single pages is told by their last error alone. */
  #tell(entry: LogEntry): void {
    const at = new Date().toISOString()
    const { stage, lane, code, text } = entry
    if (code) this.#lastError = { at, code, text: redacted(text), ...(stage && { stage }), ...(lane && { lane }) }
    if (entry.documentId === undefined && entry.level !== 'debug') this.#notice = { at, text: redacted(sentenceOf(entry)) }
    this.#options.log?.(entry)
  }

  #end(error: Error): void {
    const at = new Date().toISOString()
    const text = redacted(error.message)
    this.#notice = { at, text }
    this.#lastError = { at, code: error instanceof PagestreamError ? error.code : 'internal', text }
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
    await Promise.all(this.#lanes.map((lane) => lane.drain()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#watchdog)
    this.#phase = 'stopping'
    this.#stopping.abort()
    await this.#sharing?.catch(() => {}) // told to stop while a server loads: it is stopped, too
    await Promise.all(this.#lanes.map((lane) => lane[Symbol.asyncDispose]()))
    await this.#engine?.[Symbol.asyncDispose]()
    await this.#server?.[Symbol.asyncDispose]()
  }
}
