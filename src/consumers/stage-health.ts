import type { Failure } from '../schema/failure.ts'
import type { StageCounts } from '../telemetry/counters.ts'
import { Admission, type AdmissionHandlers } from './admission.ts'
import type { IntakeGateOptions, IntakeState } from './intake-gate.ts'
import { isPassingClass, type RetryLimits, RetryOwner, type Tried } from './retry.ts'

/** How a stage bears engines and stores that are down. */
export interface Patience extends IntakeGateOptions {
  readonly retry: RetryLimits
  /** Asks what a failure came from, apart from any page, whether it answers; undefined where that cannot be asked. */
  probe?(failure: Failure): Promise<boolean> | undefined
  changed?(state: IntakeState): void
}

export interface StageHealthOptions extends Pick<AdmissionHandlers, 'hold' | 'resume'> {
  readonly counts: StageCounts
  /** Waits for engines and stores that are down, and stops taking in when too much fails. Without it, a page that fails for a while fails for good. */
  readonly patience: Patience | undefined
}

/** How a stage fares: what is tried again and when, whether it may take in, and when it got on last. */
export class StageHealth {
  readonly #options: StageHealthOptions
  readonly #retries: RetryOwner
  readonly #admission: Admission | undefined
  #probing = false
  /** When something was finished last, or work came to an idle worker. */
  #progressAt = 0

  constructor(options: StageHealthOptions) {
    this.#options = options
    const { patience, hold } = options
    this.#retries = new RetryOwner({ patience: patience?.retry })
    this.#admission =
      patience &&
      new Admission(patience, {
        hold,
        resume: () => {
          this.progressed()
          options.resume()
        },
        changed: (state) => patience.changed?.(state),
      })
  }

  get patient(): boolean {
    return this.#admission !== undefined
  }

  get state(): IntakeState {
    return this.#admission?.state ?? 'open'
  }

  get mayTake(): boolean {
    return this.#admission?.check() ?? true
  }

  /** Milliseconds since it got on. */
  idleMs(now: number): number {
    return this.state === 'stopped' ? 0 : now - this.#progressAt
  }

  progressed(): void {
    this.#progressAt = Date.now()
  }

  took(): void {
    this.#admission?.took()
  }

  /** Whether what failed for good says that the engine is away: the next would fail alike, and it takes a person to bring it back. */
  endsRun(failure: Failure, tried: Tried): boolean {
    return !this.patient && this.#retries.wasAway(failure, tried)
  }

  /** Milliseconds after which what failed is to be tried again; undefined: it has failed for good. */
  nextTry(failure: Failure, tried: Tried): number | undefined {
    const delayMs = this.#retries.next(failure, tried)
    if (delayMs === undefined) return undefined
    this.#options.counts.retries++
    this.progressed() // an answer, if a bad one: nothing hangs
    if (isPassingClass(failure.class)) {
      this.#admission?.struggled()
      this.#probe(failure)
    }
    return delayMs
  }

  /** On an idle system nobody else shows whether it is the page or what it works with: that is asked itself, one question at a time. */
  #probe(failure: Failure): void {
    if (this.#probing) return
    const answer = this.#options.patience?.probe?.(failure)
    if (!answer) return
    this.#probing = true
    answer
      .then(
        (well) => well && this.#retries.answered(failure.code),
        () => undefined,
      )
      .finally(() => {
        this.#probing = false
      })
  }

  /** A page came through. */
  succeeded(): void {
    this.#options.counts.pagesOk++
    this.#retries.succeeded()
    this.#admission?.succeeded()
  }

  /** A page, or a record that stands for pages, failed for good. */
  failed(failure: Pick<Failure, 'class'>): void {
    this.#options.counts.deadLetters[failure.class]++
    this.#admission?.failed()
  }

  close(): void {
    this.#admission?.close()
  }
}
