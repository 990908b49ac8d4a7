import type { Config } from '../../config/config.ts'
import { surroundingEnvironment } from '../../config/places.ts'
import type { EngineConfig, EngineKind, VlmConfig } from '../../config/vlm-config.ts'
import { PagestreamError } from '../../schema/failure.ts'
import { presentDevice } from '../devices/pin-device.ts'
import type { VlmEngine } from './engine.ts'
import type { EngineEvents } from './engine-events.ts'
import { EngineRegistry, type EngineSource } from './engine-registry.ts'
import { openHttpEngine } from './engines/http/open-http-engine.ts'
import { LlamaEngine } from './engines/llama/llama-engine.ts'
import { ManagedEngine } from './engines/managed/managed-engine.ts'
import type { VlmFamily } from './page-reader.ts'

/** Engines of this process, or of this thread. */
const engines = new EngineRegistry(build)

/**
 * The engine that a configuration names: a server that is started and minded, one that is there, or the library in a child process. Whoever opens the
 * same one shares it. Its `start` rejects also with `configuration` and `engine-refused` for what cannot work.
 */
export function openEngine({ family, engine }: Pick<VlmConfig, 'family' | 'engine'>, device: Config['device'], events: EngineEvents = {}): VlmEngine {
  return engines.open({ family, engine, device }, events)
}

async function build({ family, engine, device }: EngineSource, events: EngineEvents): Promise<VlmEngine> {
  if (family === 'none') throw new PagestreamError('configuration', 'choosing the engine: vlm.family is none, so there is no model to ask')
  if (engine.managed) return openManaged({ family, engine }, device, events)
  return engine.kind === 'llama-cpp'
    ? new LlamaEngine(engine, { ...(events.onRestart && { onRestart: events.onRestart }) })
    : openHttpEngine(family, engine.kind, engine)
}

/** A server that is started with the engine. Its address may be given, or it takes any port. */
export async function openManaged(
  { family, engine }: { readonly family: VlmFamily; readonly engine: EngineConfig },
  device: Config['device'],
  events: EngineEvents = {},
): Promise<ManagedEngine> {
  return new ManagedEngine({
    ...{ ...events, family, engine, env: surroundingEnvironment(), device: await presentDevice(device) },
    engineFor: (kind, url) => openHttpEngine(family, kind, asRunning(engine, kind, url)),
  })
}

/** A managed server as one that was there before. It goes by its model as the configuration names it, so that nothing else of that changes. */
export const asRunning = (engine: EngineConfig, kind: EngineKind, url: string): EngineConfig => ({ ...engine, kind, managed: false, urls: [url] })
