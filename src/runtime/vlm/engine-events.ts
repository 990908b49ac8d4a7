import type { PagestreamError } from '../../schema/failure.ts'
import type { LogLevel } from '../../telemetry/log/log.ts'

/** What whoever works with an engine is told while it is loaded. */
export interface EngineEvents {
  /** What a person should know: how far a server's start is, or (`warn`) that it fell and is started again; `info` when no level is named. */
  readonly onNotice?: (line: string, level?: LogLevel) => void
  /** It fell and is started again. */
  readonly onRestart?: () => void
  /** The engine is gone for good: whoever works with it should end. */
  readonly onExit?: (error: PagestreamError) => void
}
