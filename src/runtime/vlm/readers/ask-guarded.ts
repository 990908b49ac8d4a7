import { PagestreamError } from '../../../schema/failure.ts'
import type { Ask, Decoding } from '../engine.ts'
import type { BlockAnswer } from '../family.ts'
import { type GuardOptions, openGuard, upTo } from '../guard/open-guard.ts'
import type { Asker } from './asker.ts'

export interface GuardedAnswer extends BlockAnswer {
  readonly outputTokens: number
}

export interface GuardedOptions {
  readonly priority: number
  readonly guard: Omit<GuardOptions, 'mostCharacters'>
  readonly signal?: AbortSignal | undefined
  readonly listen?: (piece: string) => void
  /** The answer broke off and begins anew: what was heard of it counts no more. */
  readonly again?: () => void
}

/** No tokenizer writes more characters with a token, in the mean over an answer. */
const mostCharactersAToken = 16

/** Asks, and ends an answer that runs in circles: it is cut where the circle began. */
export async function askGuarded(
  asker: Pick<Asker, 'ask'>,
  ask: Ask,
  { priority, guard: options, signal, listen, again }: GuardedOptions,
): Promise<GuardedAnswer> {
  const open = () => openGuard({ ...options, mostCharacters: ask.maxTokens * mostCharactersAToken })
  let guard = open()
  const { text, finish, outputTokens } = await asker.ask(ask, {
    priority,
    ...(signal && { signal }),
    listen(piece) {
      listen?.(piece)
      return guard.push(piece)
    },
    again() {
      guard = open()
      again?.()
    },
  })
  return guard.cutAt === undefined ? { text, finish, outputTokens } : { text: upTo(text, guard.cutAt), finish: 'stopped', outputTokens }
}

/** Other dice for a second try: what went in circles or made no sense with the most likely tokens may go well with a push away from them. */
export const secondTry = (decoding: Decoding): Decoding => ({
  ...decoding,
  temperature: Math.max(decoding.temperature, 0.2),
  topP: Math.max(decoding.topP, 0.9),
  topK: Math.max(decoding.topK, 20),
  frequencyPenalty: decoding.frequencyPenalty + 0.1,
})

/** A second try that the model makes nothing of takes nothing away: what the first has said stands. */
export async function orKept<T>(second: Promise<T>, first: T): Promise<T> {
  return second.catch((error: unknown) => {
    if (error instanceof PagestreamError && error.class === 'model') return first
    throw error
  })
}
