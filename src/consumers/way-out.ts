import { setTimeout as sleep } from 'node:timers/promises'
import type { OriginalRecord } from '../schema/events.ts'
import { toFailure } from '../schema/failure.ts'
import type { Bus, OutRecord } from './bus.ts'
import { causedBy, originalOf } from './caused-records.ts'
import type { TakenRecord } from './intake.ts'
import { isPassingClass, untried } from './retry.ts'
import type { StageHealth } from './stage-health.ts'

export interface WayOutParts {
  readonly bus: Bus
  readonly health: StageHealth
  readonly signal: AbortSignal
  /** Makes the record of a dead letter small enough for one. */
  readonly keep?: ((original: OriginalRecord) => Promise<OriginalRecord>) | undefined
}

/** How everything leaves a stage: with the trace and run of the record that it came from, and in patience with a store that is down. */
export class WayOut {
  readonly #parts: WayOutParts

  constructor(parts: WayOutParts) {
    this.#parts = parts
  }

  async publish(cause: TakenRecord, records: readonly OutRecord[]): Promise<void> {
    const { bus, keep } = this.#parts
    const original = records.some(({ topic }) => topic === 'dead-letter') ? originalOf(cause) : undefined
    await bus.publish(causedBy(cause, records, original && keep ? await keep(original) : original))
  }

  /** Emits until it succeeds: a patient worker waits for what is down. False when it was stopped meanwhile; throws what does not pass. */
  async patiently(emit: () => Promise<void>): Promise<boolean> {
    const { health, signal } = this.#parts
    for (const tried = untried(); ; ) {
      try {
        await emit()
        return true
      } catch (error) {
        const failure = toFailure(error)
        if (!health.patient || !isPassingClass(failure.class)) throw error
        if (signal.aborted) return false
        const delayMs = health.nextTry(failure, tried)
        if (delayMs === undefined) throw error
        await this.pause(delayMs)
      }
    }
  }

  /** Ends early when the worker is drained. */
  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#parts.signal }).catch(() => undefined)
  }
}
