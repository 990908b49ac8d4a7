/** `waiting`: what a stage works with seems to be down. `stopped`: too much of what came in failed for good. */
export type IntakeState = 'open' | 'waiting' | 'stopped'

export interface IntakeGateOptions {
  /** Share of the last `deadLetterPages` that may fail for good; 1 = all. */
  readonly deadLetterRate: number
  readonly deadLetterPages: number
  /** How long nothing is taken in after it was passed. */
  readonly breakerPauseMs: number
}

/** Failures in a row, none of them the page's own, after which what fails is taken to be down. */
const downAfter = 3
/** While it is, so often one more page is taken in to see: those in hand may be the ones to blame. */
const probeMs = 5000

/**
 * Whether a stage may take in. Pure: time is passed in. Two reasons close it: a stage that cannot work now (pages in hand are tried
 * again, one more is let in now and then), and a share of dead letters that says that something is wrong with all that comes
 * (nothing is let in for a while; then it is looked at anew).
 */
export class IntakeGate {
  readonly #options: IntakeGateOptions
  /** 1 for each of the last pages that failed for good. */
  readonly #last: Uint8Array
  #seen = 0
  #dead = 0
  #failuresInRow = 0
  #nextProbeAt = 0
  #stoppedUntil = 0

  constructor(options: IntakeGateOptions) {
    this.#options = options
    this.#last = new Uint8Array(options.deadLetterPages)
  }

  /** A page came through. */
  succeeded(): void {
    this.#failuresInRow = 0
    this.#count(0)
  }

  /** A page failed for good: it was the page, not what it works with. */
  failed(now: number): void {
    this.#failuresInRow = 0
    this.#count(1)
    const { deadLetterRate, deadLetterPages, breakerPauseMs } = this.#options
    if (this.#seen < deadLetterPages || this.#dead <= deadLetterRate * deadLetterPages) return
    this.#stoppedUntil = now + breakerPauseMs
    this.#last.fill(0)
    this.#seen = 0
    this.#dead = 0
  }

  /** A page failed by no fault of its own and is tried again. */
  struggled(now: number): void {
    if (++this.#failuresInRow === downAfter) this.#nextProbeAt = now + probeMs
  }

  state(now: number): IntakeState {
    if (now < this.#stoppedUntil) return 'stopped'
    return this.#failuresInRow >= downAfter ? 'waiting' : 'open'
  }

  mayTake(now: number): boolean {
    const state = this.state(now)
    return state === 'open' || (state === 'waiting' && now >= this.#nextProbeAt)
  }

  took(now: number): void {
    this.#nextProbeAt = now + probeMs
  }

  /** Milliseconds until something may be taken in, undefined while nothing is in the way. */
  dueInMs(now: number): number | undefined {
    if (this.mayTake(now)) return undefined
    return (this.state(now) === 'stopped' ? this.#stoppedUntil : this.#nextProbeAt) - now
  }

  #count(dead: 0 | 1): void {
    const at = this.#seen % this.#last.length
    if (this.#seen >= this.#last.length) this.#dead -= this.#last[at] ?? 0
    this.#last[at] = dead
    this.#dead += dead
    this.#seen = this.#seen + 1 >= 2 * this.#last.length ? this.#last.length : this.#seen + 1
  }
}
