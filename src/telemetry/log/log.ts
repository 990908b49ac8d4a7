import type { FailureClass, FailureCode } from '../../schema/failure.ts'
import type { Lane } from '../../schema/lane.ts'
import type { StageName } from '../../schema/stage.ts'

/**
 * What levels mean. error: data is lost for now, or a person must act. warn: something is away or was started again, and is waited for. info: start,
 * stop, what has changed. debug: single messages; nothing about one message stands above it, but for those that failed for good.
 */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

/** Something that happened. No field holds text of a document, a name that its sender gave it, or a secret. */
export interface LogEntry {
  readonly level: LogLevel
  /** What happened, in one sentence that does not repeat the other fields. */
  readonly text: string
  readonly stage?: StageName | undefined
  readonly lane?: Lane | undefined
  readonly code?: FailureCode | undefined
  readonly class?: FailureClass | undefined
  readonly documentId?: string | undefined
  readonly pageIndex?: number | undefined
  readonly traceId?: string | undefined
  /** Of a process that another one minds. */
  readonly device?: string | undefined
  /** What a person does about it. */
  readonly fix?: string | undefined
}

/** How a process says what happens in it; it never throws. */
export type Log = (entry: LogEntry) => void

/** An entry as one sentence for people: `layout (live): takes in again`. */
export function sentenceOf({ stage, lane, code, text }: LogEntry): string {
  const where = stage && lane ? `${stage} (${lane}): ` : ''
  return `${where}${code ? `${code}: ` : ''}${text}`
}
