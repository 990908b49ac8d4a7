import { IntakeGate, type IntakeGateOptions, type IntakeState } from './intake-gate.ts'

export interface AdmissionHandlers {
  /** Whether partitions are to be read. */
  hold(held: boolean): void
  /** Something may be taken in again. */
  resume(): void
  changed(state: IntakeState): void
}

/** Holds the intake of a worker back while its gate is closed, opens it when its time has come, and says so. */
export class Admission {
  readonly #gate: IntakeGate
  readonly #on: AdmissionHandlers
  #state: IntakeState = 'open'
  #held = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: IntakeGateOptions, on: AdmissionHandlers) {
    this.#gate = new IntakeGate(options)
    this.#on = on
  }

  get state(): IntakeState {
    return this.#state
  }

  /** Whether something may be taken in now. */
  check(): boolean {
    const now = Date.now()
    const may = this.#gate.mayTake(now)
    if (may === this.#held) {
      this.#held = !may
      this.#on.hold(!may)
    }
    if (!may && !this.#timer) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        if (this.check()) this.#on.resume()
      }, this.#gate.dueInMs(now) ?? 0)
    }
    const state = this.#gate.state(now)
    if (state !== this.#state) {
      this.#state = state
      this.#on.changed(state)
    }
    return may
  }

  took(): void {
    this.#gate.took(Date.now())
    this.check()
  }

  succeeded(): void {
    this.#gate.succeeded()
    if (this.#state === 'open') return
    this.close() // what it waited for is there before its time
    if (this.check()) this.#on.resume()
  }

  failed(): void {
    this.#gate.failed(Date.now())
    this.check()
  }

  struggled(): void {
    this.#gate.struggled(Date.now())
    this.check()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
