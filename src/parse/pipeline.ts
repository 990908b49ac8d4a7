import type { Config } from '../config/config.ts'
import { assembleOptions } from '../consumers/chain/assemble-options.ts'
import { type ChainWorker, chainWorkers } from '../consumers/chain/chain-workers.ts'
import { modelLimits, openModel } from '../consumers/chain/open-model.ts'
import { openTextModel } from '../consumers/chain/open-text-model.ts'
import { MemoryBus } from '../consumers/memory-bus.ts'
import type { Documents } from '../runtime/document-reader.ts'
import { documentPool } from '../runtime/documents/document-pool.ts'
import { documentReader } from '../runtime/documents/open-document-reader.ts'
import { type PpOcr, ppOcr } from '../runtime/pp-ocr/pp-ocr.ts'
import { checkPayload } from '../schema/check-payload.ts'
import type { DocumentSource } from '../schema/page.ts'
import { stageNames } from '../schema/stage.ts'
import type { TopicName } from '../schema/topics.ts'
import type { Artifacts } from '../store/artifacts.ts'
import type { OutputSink } from '../store/output-sink.ts'
import { Counters } from '../telemetry/counters.ts'

export interface PipelineOptions {
  readonly config: Config
  readonly artifacts: Artifacts
  readonly password: string | undefined
  sinkOf(documentId: string): OutputSink
  onFatal(error: Error): void
}

/** The five workers of one process over an in-memory bus: the same workers and stages that run on a cluster. */
export class Pipeline implements AsyncDisposable {
  readonly bus: MemoryBus
  readonly counters = new Counters()
  readonly documents: Documents
  readonly #options: PipelineOptions
  readonly #ocr: PpOcr
  readonly #engines: AsyncDisposable[]
  #workers: readonly ChainWorker[] = []

  constructor(options: PipelineOptions) {
    const { config, password } = options
    const { bufferedPages } = config.limits
    const bus = new MemoryBus({ bufferedRecords: bufferedPages, check: checkPayload })
    const reader = documentReader(config)
    const documents = documentPool(reader, config, () => password)
    this.#options = options
    this.#ocr = ppOcr(config)
    this.bus = bus
    this.documents = documents
    this.#engines = [documents, reader, this.#ocr]
  }

  /** Starts engines that must be started, then the workers. Rejects with `engine-*`, `model-refused`. */
  async start(signal?: AbortSignal): Promise<void> {
    const { config, artifacts, sinkOf, onFatal } = this.#options
    const { bus, documents, counters } = this
    const { bufferedPages } = config.limits
    const model = await openModel(config, { documents, counters, signal, events: { onExit: onFatal } })
    if (model) {
      this.#engines.unshift(model)
      // Pages end out of order, and what stands behind one that is not done counts as waiting.
      bus.bufferAtLeast(2 * model.reader.pagesAtOnce)
    }
    const textModel = await openTextModel(config, signal)
    if (textModel) this.#engines.unshift(textModel)
    this.#workers = chainWorkers(
      new Set(stageNames),
      {
        ...{ config, bus, artifacts, documents, counters, sinkOf, model },
        finder: this.#ocr.finder,
        reader: this.#ocr.reader,
        assembleOptions: (source, sink) => assembleOptions(source, sink, { config, documents, model, textModel, counters }),
      },
      () => ({ window: config.window, ...modelLimits(model, bufferedPages, 2), lane: 'live', onFatal }),
    )
    for (const worker of [...this.#workers].reverse()) await worker.start() // consumers first: nothing is published to nobody
  }

  /** The document is done: its handle and memory are given back. */
  async release(source: DocumentSource): Promise<void> {
    await this.documents.release(source)
  }

  /** No new pages; those under way go to their end, until the deadline. */
  async drain(deadlineMs: number): Promise<void> {
    await this.#workers[0]?.drain()
    const deadline = Date.now() + deadlineMs
    const between: TopicName[] = ['pages.rendered', 'pages.gated', 'pages.layout', 'pages.recognized', 'documents.assembled']
    while (between.some((topic) => this.bus.backlog(topic) > 0) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.drain()))
    await this.bus.close()
    for (const engine of this.#engines) await engine[Symbol.asyncDispose]()
  }
}
