import type { Config } from '../../config/config.ts'
import type { Tracer } from '../../telemetry/tracing/tracer.ts'
import type { VlmCounters } from '../../telemetry/vlm-counters.ts'
import { AskQueue } from './ask-queue.ts'
import type { VlmEngine } from './engine.ts'
import type { EngineEvents } from './engine-events.ts'
import { mineruFamily } from './families/mineru/mineru-family.ts'
import { teleOcr } from './families/teleocr/teleocr.ts'
import { unlimitedOcr } from './families/unlimited-ocr/unlimited-ocr.ts'
import type { OnePassFamily, TwoStepFamily } from './family.ts'
import { openEngine } from './open-engine.ts'
import type { VlmFamily, VlmPageReader } from './page-reader.ts'
import type { Asker } from './readers/asker.ts'
import { OnePassReader } from './readers/one-pass-reader.ts'
import { TwoStepReader } from './readers/two-step-reader.ts'

const families: Readonly<Record<VlmFamily, TwoStepFamily | OnePassFamily>> = {
  'mineru2.5': mineruFamily,
  teleocr: teleOcr,
  'unlimited-ocr': unlimitedOcr,
}

/** Engines, by their names, that keep to the window of written tokens, as Unlimited-OCR was taught. */
const withWindow: ReadonlySet<string> = new Set(['vllm', 'sglang', 'llama-cpp'])

/**
 * The reader of a configuration that names a family, not started. Its `start` rejects also with `configuration`, `engine-refused` for a family and an
 * engine that do not go together, `engine-missing`.
 */
export function openPageReader({ vlm, device }: Pick<Config, 'vlm' | 'device'>, counters: VlmCounters, events: EngineEvents, tracer?: Tracer): VlmPageReader {
  const { family: name, imageAnalysis } = vlm
  if (name === 'none') throw new Error('opening a reader: no family is configured')
  const family = families[name]
  const engine = openEngine(vlm, device, events)
  const asker = askerOf(engine, { counters, events, tracer, family })
  // Of a managed server of no kind in particular the name is known once it runs.
  if (family.steps === 'one') return new OnePassReader({ family, asker, hasWindow: () => withWindow.has(engine.name) })
  return new TwoStepReader({ family, asker, options: { imageAnalysis } })
}

interface AskerParts {
  readonly counters: VlmCounters
  readonly events: EngineEvents
  readonly tracer: Tracer | undefined
  readonly family: Pick<OnePassFamily, 'imageTokens'>
}

function askerOf(engine: VlmEngine, { counters, events: { onNotice }, tracer, family }: AskerParts): Asker {
  const queue = new AskQueue(engine, { counters, imageTokens: family.imageTokens, ...(onNotice && { onNotice }), ...(tracer && { tracer }) })
  return {
    get model() {
      return engine.model
    },
    get slots() {
      return engine.slots
    },
    start: (signal) => engine.start(signal),
    ask: (ask, options) => queue.ask(ask, options),
    tryOutWith: (ask) => queue.tryOutWith(ask),
    room: (questions, signal) => queue.room(questions, signal),
    async [Symbol.asyncDispose]() {
      await queue[Symbol.asyncDispose]()
      await engine[Symbol.asyncDispose]()
    },
  }
}
