import { readFile } from 'node:fs/promises'
import type { EngineConfig } from '../../../../config/vlm-config.ts'
import { PagestreamError } from '../../../../schema/failure.ts'
import { reasonOf } from '../../../../schema/reason.ts'
import type { VlmEngine } from '../../engine.ts'
import type { VlmFamily } from '../../page-reader.ts'
import type { ServerKind } from './dialects/dialect.ts'
import { dialectFor } from './dialects/dialect-for.ts'
import { HttpEngine } from './http-engine.ts'
import { ReplicaSet } from './replica-set.ts'

/** Long enough for a server that is started beside the worker to open its port, short enough for a mistyped one. */
const absentMs = 10_000
const mostProcessorBytes = 1 << 20

async function readLogitProcessor(file: string): Promise<string> {
  if (file === '') return ''
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new PagestreamError('engine-refused', `reading the logit processor: ${reasonOf(error)}. Check vlm.engine.logitProcessorFile`, { cause: error })
  })
  if (text.length > mostProcessorBytes) throw new PagestreamError('engine-refused', 'reading the logit processor: the file is longer than 1 MiB')
  return text.trim()
}

/**
 * The engine of a configuration whose kind is a server: one, or a set of several. `urls` may be of a managed server instead of the configured ones.
 * Throws `engine-refused` for a pair of family and kind that cannot work, and for no address.
 */
export async function openHttpEngine(family: VlmFamily, kind: ServerKind, config: EngineConfig, urls: readonly string[] = config.urls): Promise<VlmEngine> {
  if (urls.length === 0)
    throw new PagestreamError('engine-refused', 'choosing the engine: vlm.engine.urls is empty. Give the address of a server that has the model')
  const dialect = dialectFor(family, kind, { logitProcessor: await readLogitProcessor(config.logitProcessorFile) })
  const { model, apiKeyFile, slots, timeoutMs, silenceMs, startMs } = config
  const engines = urls.map((url) => new HttpEngine({ url, dialect, model, apiKeyFile, slots, timeoutMs, silenceMs, startMs, absentMs }))
  const [only] = engines
  return engines.length === 1 && only !== undefined ? only : new ReplicaSet(engines)
}
