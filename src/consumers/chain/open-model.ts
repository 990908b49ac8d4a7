import { setTimeout } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import type { Documents } from '../../runtime/document-reader.ts'
import type { EngineEvents } from '../../runtime/vlm/engine-events.ts'
import type { VlmPageReader } from '../../runtime/vlm/page-reader.ts'
import { PagestreamError } from '../../schema/failure.ts'
import type { Counters } from '../../telemetry/counters.ts'
import type { Tracer } from '../../telemetry/tracing/tracer.ts'
import type { ChainModel } from './chain-workers.ts'

export interface ModelOptions {
  readonly documents: Documents
  readonly counters: Counters
  readonly events: EngineEvents
  readonly signal?: AbortSignal | undefined
  /** How long an engine is waited for that cannot be reached; else as long as it takes a server beside this process to open its port. */
  readonly patienceMs?: number
  /** Hears of each question to the engine. */
  readonly tracer?: Tracer | undefined
}

/** Between two tries of an engine that is waited for. */
const startPauseMs = 1000

/** Pixels of pages that wait between the model's look at them and the reading of their blocks. */
const mostPictureBytes = 96 * 1024 ** 2

/**
 * The vision-language model of the configuration, started; undefined where there is none. Its code is loaded when there is one. Rejects with
 * `configuration`, `engine-*`, `model-refused`, `cancelled`.
 */
export async function openModel(config: Config, options: ModelOptions): Promise<(ChainModel & AsyncDisposable) | undefined> {
  if (config.vlm.family === 'none') return undefined
  const { documents, counters, events } = options
  const [{ openPageReader }, { PictureCache }] = await Promise.all([
    import('../../runtime/vlm/open-page-reader.ts'),
    import('../../runtime/vlm/pictures/picture-cache.ts'),
  ])
  const reader = openPageReader(config, counters.vlm, events, options.tracer)
  const startedAt = performance.now()
  try {
    if (reader.onePass && config.vlm.effort === 'low') throw new PagestreamError('configuration', nothingToAsk(reader.family))
    await startPatiently(reader, options)
  } catch (error) {
    await reader[Symbol.asyncDispose]()
    throw error
  }
  const { model, family } = reader
  const loadSeconds = (performance.now() - startedAt) / 1000
  counters.models.push({ task: 'page-reader', model, family, engine: config.vlm.engine.kind, device: config.device, loadSeconds })
  const { render, limits } = config
  const pictures = new PictureCache({ documents, dpi: render.dpi, maxPixels: limits.maxRenderPixels, maxBytes: mostPictureBytes })
  return { reader, pictures, [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose]() }
}

const nothingToAsk = (family: string): string =>
  `starting the model: ${family} reads whole pages, and with vlm.effort low a model is asked about blocks alone; set vlm.effort to auto or high, or vlm.family to none`

async function startPatiently(reader: VlmPageReader, { events, signal, patienceMs = 0 }: ModelOptions): Promise<void> {
  for (const begunAt = performance.now(); ; ) {
    try {
      return await reader.start(signal)
    } catch (error) {
      const isAway = error instanceof PagestreamError && error.code === 'engine-unreachable'
      if (!isAway || performance.now() - begunAt + startPauseMs > patienceMs) throw error
      events.onNotice?.(`${error.message}; it is tried again until it answers`, 'warn')
      await setTimeout(startPauseMs, undefined, signal && { signal })
    }
  }
}

/** What a worker of a stage holds in hand where the model is the stage's engine: as many pages as keep its slots busy, each a window of its own if need be. */
export function modelLimits(model: ChainModel | undefined, pages: number, windows: number): { maxPagesInFlight: number; windows: number } {
  if (!model) return { maxPagesInFlight: pages, windows }
  const { pagesAtOnce } = model.reader
  return { maxPagesInFlight: Math.max(pages, pagesAtOnce), windows: Math.max(windows, pagesAtOnce) }
}
