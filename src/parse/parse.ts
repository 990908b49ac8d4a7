import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConfigLayer, loadConfig } from '../config/load-config.ts'
import { inputFiles } from '../inputs/input-files.ts'
import { prepareDevice } from '../runtime/devices/prepare-device.ts'
import type { Counters } from '../telemetry/counters.ts'
import type { ParseEvent } from './parse-events.ts'
import { ParseRun } from './parse-run.ts'

export interface ParseOptions {
  /** Folder for the outputs, one folder a document; a temporary one when absent. */
  readonly out?: string
  /** 0-based pages to read of every document; all when absent. */
  readonly pages?: readonly number[]
  readonly password?: string
  /** JSON file with the configuration. */
  readonly configFile?: string
  /** Keys of the configuration that win over file and environment: `{ ocr: 'never', formats: ['md'] }`. */
  readonly config?: ConfigLayer
  /** Ends the run early: pages under way are finished, whole documents written, the rest is resumed by the next run. */
  readonly signal?: AbortSignal
  /** Reads documents again that an earlier run has done. */
  readonly again?: boolean
  /** What `-` reads from. */
  readonly stdin?: NodeJS.ReadableStream
  /** Called once with the counts of the run, which go on growing. */
  readonly onStart?: (counters: Counters) => void
}

/**
 * Reads documents and pictures and yields what becomes of them: `opened`, `page` and `document` events.
 * Inputs are paths of files or folders, globs, or `-`. A bad document ends in a `document` event with its
 * failure and the rest goes on. Leaving the loop ends the run.
 *
 * Rejects with `ConfigError` for an unusable configuration, with `PagestreamError` when the store fails
 * and when an engine is not what the configuration says or goes away: the next run goes on where this one stopped.
 */
export async function* parse(inputs: string | readonly string[], options: ParseOptions = {}): AsyncGenerator<ParseEvent, void, undefined> {
  const config = loadConfig({ file: options.configFile, overrides: options.config ?? {} })
  await prepareDevice(config)
  const out = options.out ?? (await mkdtemp(join(tmpdir(), 'pagestream-')))
  const stdinFolder = join(tmpdir(), `pagestream-stdin-${randomUUID()}`)
  const run = new ParseRun({ config, out, pages: options.pages, password: options.password, signal: options.signal, again: options.again === true })
  try {
    options.onStart?.(run.counters)
    const stdin = { stream: options.stdin ?? process.stdin, folder: stdinFolder, maxBytes: config.limits.maxDocumentBytes }
    yield* run.events(inputFiles(typeof inputs === 'string' ? [inputs] : inputs, stdin))
  } finally {
    await run.close()
    await rm(stdinFolder, { recursive: true, force: true })
    if (options.out === undefined) await rm(out, { recursive: true, force: true })
  }
}
