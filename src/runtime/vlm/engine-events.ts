import type { PagestreamError } from '../../schema/failure.ts'

/** What whoever works with an engine is told while it is loaded. */
export interface EngineEvents {
  /** What a person should know: how far a server's start is, that it fell and is started again. */
  readonly onNotice?: (line: string) => void
  /** The engine is gone for good: whoever works with it should end. */
  readonly onExit?: (error: PagestreamError) => void
}
