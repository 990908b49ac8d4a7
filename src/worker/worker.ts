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
  /** What a person should know while it goes on: it waits for a broker, for an engine, or has stopped taking in. */
  readonly onNotice?: (line: string) => void
}

/** Stages of the chain over Kafka, in one process: each lane has a thread, a bus and engines of its own. */
export class Worker implements AsyncDisposable {
  readonly #options: WorkerOptions
  #lanes: readonly LaneRunner[] = []
  #watchdog: NodeJS.Timeout | undefined
  #phase: WorkerView['phase'] = 'starting'
  #notice: WorkerView['notice']
  #server: HealthServer | undefined
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
    const onNotice = (line: string) => this.#tell(line)
    if (config.worker.port > 0) this.#server = await HealthServer.listen(config.worker.host, config.worker.port, () => this.view)
    await reachCluster(config.kafka, {
      patienceMs: config.worker.patienceMs,
      topics: wantedTopics(config.kafka, lanes).map(({ name }) => name),
      waiting: ({ message }, pauseMs) => onNotice(`${message}; again in ${Math.round(pauseMs / 100) / 10} s`),
    })
    const on = { fatal: onFatal, notice: onNotice }
    const looks = stages.has('layout') || stages.has('region-recognition')
    if (looks) {
      this.#sharing = shareEngine(config, lanes, { onNotice, onExit: onFatal }, this.#stopping.signal)
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
    return { phase: this.#phase, stages, lanes, notice: this.#notice, device: deviceInfo(), stallMs: this.#options.config.worker.stallMs }
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
