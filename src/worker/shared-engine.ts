import type { Config } from '../config/config.ts'
import type { EngineEvents } from '../runtime/vlm/engine-events.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { Lane } from '../schema/lane.ts'

/** What the lanes of a worker work with. */
export interface SharedEngine extends AsyncDisposable {
  /** Names the server that runs, as one that was there before. */
  readonly config: Config
}

/**
 * Starts the server that a worker minds itself, one for all its lanes: each of them has a thread of its own, and would start its own. Undefined where
 * there is none to start. Rejects with `configuration` for an engine that lanes cannot share, and as the engine's start does.
 */
export async function shareEngine(config: Config, lanes: readonly Lane[], events: EngineEvents, signal: AbortSignal): Promise<SharedEngine | undefined> {
  const { family, engine } = config.vlm
  if (family === 'none') return undefined
  if (engine.kind === 'llama-cpp' && lanes.length > 1) {
    throw new PagestreamError(
      'configuration',
      'starting the engine: a library in a child process serves one lane. Give --lane live or --lane bulk, or let the worker mind a server',
    )
  }
  if (!engine.managed) return undefined
  const { asRunning, openManaged } = await import('../runtime/vlm/open-engine.ts')
  const managed = await openManaged({ family, engine }, config.device, events)
  try {
    await managed.start(signal)
  } catch (error) {
    await managed[Symbol.asyncDispose]()
    throw error
  }
  const vlm = { ...config.vlm, engine: asRunning(engine, managed.kind, managed.url) }
  return { config: { ...config, vlm }, [Symbol.asyncDispose]: () => managed[Symbol.asyncDispose]() }
}
