import type { Failure, FailureClass, FailureCode } from '../schema/failure.ts'

/** How often a page is tried in all, by the class of its failure. Input and bugs are never tried again: they would fail alike. */
const attemptsOf: Record<FailureClass, number> = {
  transient: 5,
  overload: 5,
  resource: 2,
  model: 2,
  'expired-claim': 1,
  input: 1,
  bug: 1,
}

/** Failures of a place that only this document names: they say nothing about what the stage works with. */
const ofItsOwn: ReadonlySet<FailureCode> = new Set(['input-unreachable'])

/**
 * Failures of what we are connected to and how: they say nothing about a record, would be those of the next one too, and nobody but a person heals them.
 * A topic of ours that refuses a record of its own kind is set up for others.
 */
const ofTheWorker: ReadonlySet<FailureCode> = new Set([
  'configuration',
  'kafka-refused',
  'kafka-forbidden',
  'kafka-topic-missing',
  'message-refused',
  'store-refused',
  'engine-refused',
  'engine-missing',
  'engine-not-started',
  'model-refused',
])

/** Failures of what many pages do without: that those come through says nothing of it. */
const ofWhatFewNeed: ReadonlySet<FailureCode> = new Set(['engine-unreachable', 'engine-timeout', 'engine-failed'])

/** What an engine that is away is told by: a gateway in front of it, or one that loads its model, says that it is busy. */
const ofAnAbsentEngine: ReadonlySet<FailureCode> = new Set(['engine-unreachable', 'engine-busy'])

/** Whether the worker must end, with what it has in hand: the record is as good as any other. */
export const endsTheWorker = ({ code }: Pick<Failure, 'code'>): boolean => ofTheWorker.has(code)

export const isPassingClass = (failureClass: FailureClass): boolean => failureClass === 'transient' || failureClass === 'overload'

/** Exponential, from 100 ms to 5 s, with half of it random so that pages do not come back in step. */
export function retryDelayMs(attemptsMade: number, random: () => number = Math.random): number {
  const full = Math.min(5000, 100 * 2 ** (attemptsMade - 1))
  return full / 2 + (full / 2) * random()
}

/** What is remembered of a page or record that failed. */
export interface Tried {
  tries: number
  charged: number
  /** When it was charged first. */
  chargedSinceMs: number
  /** Signs of health when it failed last. */
  signs: number | undefined
  /** What had succeeded when it failed first. */
  successesBefore: number | undefined
}

export const untried = (): Tried => ({ tries: 0, charged: 0, chargedSinceMs: 0, signs: undefined, successesBefore: undefined })

/** A page is given up after so many tries that are held against it, and not before so long. */
export interface RetryLimits {
  readonly attempts: number
  readonly ms: number
}

/**
 * Decides whether what failed is tried again. An impatient owner gives up after a few tries: a run in one process must end.
 * A patient one holds a transient failure against a page only where there is a sign since the last one that the rest is well: another
 * page came through, or what failed has answered when it was asked apart. An engine or store that is down gives no such sign, and so
 * fails nobody. Of an engine that not every page needs only its own answers are signs. Overload says nothing about a page and is never held
 * against it.
 */
export class RetryOwner {
  readonly #limits: RetryLimits | undefined
  #successes = 0
  readonly #answers = new Map<FailureCode, number>()

  /** `patience`: absent for an impatient owner. */
  constructor(options: { readonly patience?: RetryLimits | undefined }) {
    this.#limits = options.patience
  }

  succeeded(): void {
    this.#successes++
  }

  /** What fails with this code has answered when it was asked apart from any page. */
  answered(code: FailureCode): void {
    this.#answers.set(code, (this.#answers.get(code) ?? 0) + 1)
  }

  /** Milliseconds until the next try, undefined when it has failed for good. */
  next(failure: Failure, tried: Tried, now = Date.now()): number | undefined {
    tried.tries++
    tried.successesBefore ??= this.#successes
    if (!this.#limits || !isPassingClass(failure.class)) return tried.tries < attemptsOf[failure.class] ? retryDelayMs(tried.tries) : undefined
    if (this.#isItsOwn(failure, tried) && ++tried.charged === 1) tried.chargedSinceMs = now
    tried.signs = this.#signs(failure)
    const { attempts, ms } = this.#limits
    const mayEnd = tried.charged >= attempts && now - tried.chargedSinceMs >= ms
    return mayEnd ? undefined : retryDelayMs(Math.min(tried.tries, 20))
  }

  /** Whether an engine that failed it was away for everyone: nothing has come through since it failed first. */
  wasAway({ code }: Failure, { successesBefore }: Tried): boolean {
    return ofAnAbsentEngine.has(code) && successesBefore === this.#successes
  }

  #isItsOwn(failure: Failure, { signs }: Tried): boolean {
    if (failure.class !== 'transient') return false
    return ofItsOwn.has(failure.code) || (signs !== undefined && this.#signs(failure) > signs)
  }

  #signs({ code }: Failure): number {
    return (ofWhatFewNeed.has(code) ? 0 : this.#successes) + (this.#answers.get(code) ?? 0)
  }
}
