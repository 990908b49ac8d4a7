import type { Lane } from '../schema/lane.ts'

export interface WindowSlotsOptions {
  /** Windows of one stage that are worked on at once, over both lanes. */
  readonly perStage: number
  /** While live has work, one of so many windows of a stage is bulk. */
  readonly bulkEvery?: number
  /** A live page is between two stages for so long at most: bulk does not step in meanwhile. */
  readonly holdMs?: number
}

/** Milliseconds for which live work is expected to go on. */
const lately = 30_000

interface StageSlots {
  taken: number
  /** Live windows since the last bulk one. */
  sinceBulk: number
  readonly waiting: Map<Lane, () => void>
}

/**
 * Which windows of one process are worked on: so many a stage, live before bulk. While live work is in hand in any stage, or was
 * a moment ago, bulk begins a window only when its share is due; whoever is alone has all.
 */
export class WindowSlots {
  readonly #perStage: number
  readonly #bulkEvery: number
  readonly #holdMs: number
  readonly #stages = new Map<string, StageSlots>()
  #liveWindows = 0
  #liveAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor({ perStage, bulkEvery = 8, holdMs = 50 }: WindowSlotsOptions) {
    this.#perStage = perStage
    this.#bulkEvery = bulkEvery
    this.#holdMs = holdMs
  }

  /** Whether live work has come lately, so that more may come any moment. */
  get liveIsAbout(): boolean {
    return this.#isLive(lately)
  }

  #isLive(withinMs: number): boolean {
    return this.#liveWindows > 0 || performance.now() - this.#liveAt < withinMs
  }

  /** False when there is none for this lane now: `retry` is called when there may be. */
  take(stage: string, lane: Lane, retry: () => void): boolean {
    const slots = this.#slotsOf(stage)
    if (slots.taken >= this.#perStage || (lane === 'bulk' ? this.#mustWait(slots) : this.#mustLetPass(slots))) {
      slots.waiting.set(lane, retry)
      if (lane === 'bulk') this.#wakeLater()
      return false
    }
    slots.taken++
    if (lane === 'bulk') slots.sinceBulk = 0
    else {
      slots.sinceBulk++
      this.#liveWindows++
    }
    return true
  }

  giveBack(stage: string, lane: Lane): void {
    this.#slotsOf(stage).taken--
    if (lane === 'live') {
      this.#liveWindows--
      this.#liveAt = performance.now()
    }
    this.#wake()
  }

  #slotsOf(stage: string): StageSlots {
    const known = this.#stages.get(stage)
    if (known) return known
    const made: StageSlots = { taken: 0, sinceBulk: 0, waiting: new Map() }
    this.#stages.set(stage, made)
    return made
  }

  #bulkIsDue = ({ sinceBulk }: StageSlots): boolean => sinceBulk >= this.#bulkEvery - 1

  #mustWait(slots: StageSlots): boolean {
    return this.#isLive(this.#holdMs) && !this.#bulkIsDue(slots)
  }

  #mustLetPass(slots: StageSlots): boolean {
    return this.#bulkIsDue(slots) && slots.waiting.has('bulk')
  }

  #wake(): void {
    for (const slots of this.#stages.values()) {
      const order: readonly Lane[] = this.#bulkIsDue(slots) ? ['bulk', 'live'] : ['live', 'bulk']
      for (const lane of order) {
        const retry = slots.waiting.get(lane)
        slots.waiting.delete(lane)
        retry?.()
      }
    }
  }

  #wakeLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#wake()
    }, this.#holdMs).unref()
  }
}
