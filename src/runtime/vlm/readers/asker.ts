import type { PageTicket } from '../asking/page-room.ts'
import type { Answer, Ask, AskOptions } from '../engine.ts'

/** Urgency of a question: a look at a page brings the questions that keep the slots busy later, and no more pages are let in than that needs. */
export const priorities = { layout: 0, read: 1 } as const

/** What readers ask through: an engine with its queue. */
export interface Asker extends AsyncDisposable {
  readonly model: string
  readonly slots: number
  start(signal?: AbortSignal): Promise<void>
  /**
   * Resolves when there will soon be slots for the questions of one more page, so many as can be told. Whoever is let in says what it still expects to
   * ask, and in the end that it is nothing. Rejects with `cancelled`.
   */
  room(questions: number, signal?: AbortSignal): Promise<PageTicket>
  /** A question that the engine has answered, for when it is lost: answered again, it is back. */
  tryOutWith(ask: Ask): void
  ask(ask: Ask, options: AskOptions & { readonly priority: number }): Promise<Answer>
}
