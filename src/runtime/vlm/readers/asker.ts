import type { Answer, Ask, AskOptions } from '../engine.ts'

/** Urgency of a question: pages that were begun are finished before others are begun. */
export const priorities = { read: 0, layout: 1 } as const

/** What readers ask through: an engine with its queue. */
export interface Asker extends AsyncDisposable {
  readonly model: string
  readonly slots: number
  start(signal?: AbortSignal): Promise<void>
  /** Resolves when there will soon be a slot for the questions of one more page. Rejects with `cancelled`. */
  room(signal?: AbortSignal): Promise<void>
  ask(ask: Ask, options: AskOptions & { readonly priority: number }): Promise<Answer>
}
