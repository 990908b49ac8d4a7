import { ConfigError } from '../config/load-config.ts'
import { failureCodes, PagestreamError } from '../schema/failure.ts'
import type { Log } from '../telemetry/log/log.ts'

/** The same by the log of a process that has one. */
export function logFailure(log: Log, error: unknown): 1 | 2 {
  if (!(error instanceof PagestreamError)) throw error
  const { code, class: of, message: text } = error
  log({ level: 'error', code, class: of, text, fix: failureCodes[code].fix })
  return of === 'input' ? 2 : 1
}

/** Says on standard error what went wrong and what to do; answers with the exit code. Throws what is no failure of ours. */
export function reportFailure(error: unknown): 1 | 2 {
  if (!(error instanceof PagestreamError)) throw error
  if (error instanceof ConfigError) for (const problem of error.problems) process.stderr.write(`configuration: ${problem}\n`)
  else process.stderr.write(`pagestream: ${error.code}: ${error.message}\n${' '.repeat(12)}${failureCodes[error.code].fix}\n`)
  return error.class === 'input' ? 2 : 1
}
