import type { Config } from '../../config/config.ts'
import { BoundedLog, type Sink } from './bounded-log.ts'
import { type Log, type LogEntry, logLevels, sentenceOf } from './log.ts'
import { redacted } from './redact.ts'

/** A log that is open; disposing of it says what waits. */
export interface OpenLog extends Disposable {
  readonly log: Log
}

export interface LogParts {
  /** What the process is: begins its lines of text, and stands in each of JSON. */
  readonly component: 'worker' | 'backfill'
  /** Takes a line without its end. */
  readonly write: (line: string) => void
}

/** How this process logs by its configuration: lines of text for people, or of JSON, written by pino, which is loaded for them alone. */
export async function openLog({ format, level }: Config['log'], parts: LogParts): Promise<OpenLog> {
  const sink = format === 'json' ? await jsonSink(level, parts) : textSink(parts)
  const bounded = new BoundedLog(sink)
  const most = logLevels.indexOf(level)
  return {
    log: (entry) => {
      if (logLevels.indexOf(entry.level) <= most) bounded.log(entry)
    },
    [Symbol.dispose]: () => bounded[Symbol.dispose](),
  }
}

/** Failures that end the process stand as every command says them: with what to do on a second line. */
function textSink({ component, write }: LogParts): Sink {
  return (entry, leftOut) => {
    const { pageIndex, fix } = entry
    const documentId = idOf(entry)
    const where = documentId === undefined ? '' : ` [document ${documentId}${pageIndex === undefined ? '' : `, page ${pageIndex + 1}`}]`
    const more = leftOut > 0 ? ` (${leftOut} more like it)` : ''
    write(`${fix === undefined ? `pagestream ${component}` : 'pagestream'}: ${printable(redacted(sentenceOf(entry)))}${printable(where)}${more}`)
    if (fix !== undefined) write(`${' '.repeat(12)}${fix}`)
  }
}

/** Texts of others may command a terminal. */
const printable = (line: string): string =>
  line.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

async function jsonSink(level: Config['log']['level'], { component, write }: LogParts): Promise<Sink> {
  const { pino } = await import('pino')
  const logger = pino(
    {
      level,
      base: { component, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => write(line.trimEnd()) },
  )
  return (entry, leftOut) => logger[entry.level]({ ...fieldsOf(entry), ...(leftOut > 0 && { leftOut }) }, redacted(entry.text))
}

function fieldsOf(entry: LogEntry): Readonly<Record<string, unknown>> {
  const { level: _, text: __, ...fields } = { ...entry, documentId: idOf(entry) }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Ids are given by who submits: of any length, and anything may stand in them. */
const idOf = ({ documentId }: LogEntry): string | undefined => (documentId === undefined ? undefined : redacted(documentId.slice(0, 200)))
