import type { Config } from '../config/config.ts'
import { assembleOptions } from '../consumers/chain/assemble-options.ts'
import { type ChainWorker, chainWorkers } from '../consumers/chain/chain-workers.ts'
import { modelLimits, openModel } from '../consumers/chain/open-model.ts'
import { openTextModel } from '../consumers/chain/open-text-model.ts'
import type { IntakeState } from '../consumers/intake-gate.ts'
import { KafkaBus } from '../consumers/kafka/kafka-bus.ts'
import { LagMeter } from '../consumers/kafka/lag-meter.ts'
import { fetchingReader } from '../inputs/fetching-reader.ts'
import { InputCache } from '../inputs/input-cache.ts'
import { readPasswords } from '../inputs/password-file.ts'
import { documentPool } from '../runtime/documents/document-pool.ts'
import { documentReader } from '../runtime/documents/open-document-reader.ts'
import { type PpOcr, ppOcr } from '../runtime/pp-ocr/pp-ocr.ts'
import type { DocumentSource } from '../schema/page.ts'
import type { StageName } from '../schema/stage.ts'
import { BlobSink } from '../store/blob-sink.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { meteredStore } from '../store/metered-store.ts'
import { openStore } from '../store/open-store.ts'
import type { OutputSink } from '../store/output-sink.ts'
import { patientStore } from '../store/patient-store.ts'
import { StoreArtifacts } from '../store/store-artifacts.ts'
import { Counters } from '../telemetry/counters.ts'
import type { LogEntry } from '../telemetry/log/log.ts'
import { LoopLag } from '../telemetry/loop-lag.ts'
import { openTracer } from '../telemetry/tracing/open-tracer.ts'
import type { LaneEvents, LaneOptions, LaneRunner, LaneView } from './lane-runner.ts'
import { outputPrefix } from './output-prefix.ts'
import { storeAnswers } from './store-answers.ts'

/** Their intake fills up while the model's engine is away, before any of their pages has failed. */
const stagesThatLook: ReadonlySet<StageName> = new Set(['layout', 'region-recognition'])

/** Stages of the chain over Kafka in one lane and in this thread, with a bus and engines of their own. */
export class LaneChain implements LaneRunner {
  readonly #counters = new Counters()
  readonly #loopLag = new LoopLag()
  readonly #options: LaneOptions & { readonly store?: BlobStore | undefined }
  readonly #on: LaneEvents
  readonly #open: AsyncDisposable[] = []
  #workers: ChainWorker[] = []
  #bus: KafkaBus | undefined
  #lag: LagMeter | undefined

  /** `store`: the one that `store.url` names when absent. */
  constructor(options: LaneOptions & { readonly store?: BlobStore | undefined }, on: LaneEvents) {
    this.#options = options
    this.#on = on
  }

  get view(): LaneView {
    const stages = this.#workers.map((worker) => {
      const { stage, lane, partitions, isPaused, window, pagesInFlight, bytesHeld } = worker
      const state = worker.state === 'open' && stagesThatLook.has(stage) && this.#counters.vlm.isAway ? 'waiting' : worker.state
      const lag = { lagRecords: this.#lag?.lag(stage, partitions), lagSeconds: worker.lagMs() / 1000 }
      return { stage, lane, state, partitions, isPaused, window, pagesInFlight, bytesHeld, ...lag, stalledMs: worker.stalledMs() }
    })
    return {
      lane: this.#options.lane,
      counters: this.#counters,
      loopLagSeconds: this.#loopLag.figures,
      stages,
      sending: this.#bus?.sending ?? { records: 0, bytes: 0 },
    }
  }

  async start(): Promise<void> {
    const { config, stages, lane } = this.#options
    const tracer = await openTracer()
    this.#open.push(tracer)
    const bare = this.#options.store ?? (await openStore(config.store))
    const store = patientStore(meteredStore(bare, this.#counters.store))
    const inputs = new InputCache(config, store)
    const reader = fetchingReader(documentReader(config), inputs, () => readPasswords(config.inputs.passwordsFile))
    const documents = documentPool(reader, config, () => undefined)
    const ocr = ppOcr(config)
    this.#open.push(documents, reader, inputs, ocr)
    const loadSeconds = await this.#warmUp(ocr, config)
    const [provider = 'cpu'] = config.models.providers
    const ofOcr = { family: 'none', engine: 'onnxruntime', device: provider, loadSeconds }
    if (stages.has('text-finder')) this.#counters.models.push({ task: 'text-finder', model: ocr.finder.model, ...ofOcr })
    if (stages.has('region-recognition')) this.#counters.models.push({ task: 'line-reader', model: ocr.reader.model, ...ofOcr })
    const looks = stages.has('layout') || stages.has('region-recognition')
    const model = looks
      ? await openModel(config, {
          ...{ documents, counters: this.#counters, patienceMs: config.worker.patienceMs, tracer },
          events: {
            onNotice: (text, level = 'info') => this.#on.log({ level, lane, text }),
            onRestart: () => this.#counters.vlm.restarts++,
            onExit: this.#on.fatal,
          },
        })
      : undefined
    if (model) this.#open.unshift(model)
    const textModel = stages.has('assemble') ? await openTextModel(config) : undefined
    if (textModel) this.#open.unshift(textModel)
    const bus = await KafkaBus.connect(config.kafka, lane, { publishSeconds: this.#counters.publishSeconds })
    const lag = new LagMeter(config.kafka, lane)
    this.#open.unshift({ [Symbol.asyncDispose]: () => bus.close() }, lag)
    this.#bus = bus
    this.#lag = lag
    const parts = {
      ...{ config, bus, documents, finder: ocr.finder, reader: ocr.reader, counters: this.#counters, model },
      artifacts: new StoreArtifacts(store),
      sinkOf: (documentId: string, revision: string) => new BlobSink(store, outputPrefix(documentId, revision)),
      assembleOptions: (source: DocumentSource, sink: OutputSink) =>
        assembleOptions(source, sink, { config, documents, model, textModel, counters: this.#counters }),
    }
    const { maxPagesInFlight, maxBufferedBytes: maxBytesBuffered, windows } = config.worker
    const { deadLetterRate, deadLetterPages, breakerPauseMs, retryAttempts: attempts, retryMs } = config.worker
    this.#workers = chainWorkers(stages, parts, (stage) => ({
      ...{ window: config.window, maxBytesBuffered, lane, onFatal: this.#on.fatal, tracer, log: this.#on.log },
      ...modelLimits(model, maxPagesInFlight, windows),
      patience: {
        ...{ deadLetterRate, deadLetterPages, breakerPauseMs, retry: { attempts, ms: retryMs } },
        probe: ({ code }) => {
          if (code === 'store-failed') return storeAnswers(bare)
          return code.startsWith('engine-') ? model?.reader.answers() : undefined
        },
        changed: (state) => this.#on.log({ stage, lane, ...newsOf(state, config.worker) }),
      },
    }))
    // Each waits for its group, which those that went silent may hold for a while.
    const starts = await Promise.allSettled(this.#workers.map((worker) => worker.start()))
    for (const started of starts) if (started.status === 'rejected') throw started.reason
    lag.start([...stages])
  }

  /** A provider that does not start is told now, and not by every page. Answers how long it took; those of the processor start with the first picture. */
  async #warmUp(ocr: PpOcr, { models }: Config): Promise<number | undefined> {
    const { stages } = this.#options
    if (models.providers.every((provider) => provider === 'cpu') || !(stages.has('text-finder') || stages.has('region-recognition'))) return undefined
    const startedAt = performance.now()
    await ocr.warmUp()
    return (performance.now() - startedAt) / 1000
  }

  async drain(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.drain()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain()
    for (const part of this.#open) await part[Symbol.asyncDispose]()
    this.#loopLag[Symbol.dispose]()
  }
}

function newsOf(state: IntakeState, { deadLetterRate, deadLetterPages, breakerPauseMs }: Config['worker']): Pick<LogEntry, 'level' | 'text'> {
  const news: Record<IntakeState, Pick<LogEntry, 'level' | 'text'>> = {
    open: { level: 'info', text: 'takes in again' },
    waiting: { level: 'warn', text: 'what it works with does not answer; it takes nothing in and tries again until it does' },
    stopped: {
      level: 'error',
      text:
        `more than ${Math.round(deadLetterRate * 100)} % of the last ${deadLetterPages} pages failed; ` +
        `it takes nothing in for ${Math.round(breakerPauseMs / 1000)} s or until it is started anew (pagestream dlq list)`,
    },
  }
  return news[state]
}
