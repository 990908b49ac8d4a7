import type { KafkaConfig } from '../../config/kafka-config.ts'
import type { Lane } from '../../schema/lane.ts'
import type { StageName } from '../../schema/stage.ts'
import { unfinishedOf } from './group-lag.ts'
import { kafkaClient } from './kafka-client.ts'

const everyMs = 10_000

/**
 * Asks the broker now and then how many records of each partition are not finished. What it cannot be asked is as it was told last: a
 * broker that is away is told of by others.
 */
export class LagMeter implements AsyncDisposable {
  readonly #config: KafkaConfig
  readonly #lane: Lane
  readonly #admin
  readonly #found = new Map<StageName, ReadonlyMap<number, number>>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #connected = false

  constructor(config: KafkaConfig, lane: Lane) {
    this.#config = config
    this.#lane = lane
    this.#admin = kafkaClient(config).admin()
  }

  /** Looks at once, and then every ten seconds. */
  start(stages: readonly StageName[]): void {
    const look = () => {
      this.#looking ??= this.#look(stages)
        .catch(() => {
          this.#connected = false
        })
        .finally(() => {
          this.#looking = undefined
        })
    }
    look()
    this.#timer = setInterval(look, everyMs).unref()
  }

  /** Records of these partitions that are not finished; undefined until the broker has told. */
  lag(stage: StageName, partitions: readonly number[]): number | undefined {
    const found = this.#found.get(stage)
    return found && partitions.reduce((sum, partition) => sum + (found.get(partition) ?? 0), 0)
  }

  async #look(stages: readonly StageName[]): Promise<void> {
    if (!this.#connected) await this.#admin.connect()
    this.#connected = true
    for (const stage of stages) this.#found.set(stage, await unfinishedOf(this.#admin, this.#config, stage, this.#lane))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
    await this.#admin.disconnect().catch(() => undefined)
  }
}
