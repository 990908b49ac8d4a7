import type { Admin, ConfigResourceTypes } from 'kafkajs'
import type { KafkaConfig } from '../../config/kafka-config.ts'
import { clientFailure, isPassing } from './client-failure.ts'
import { kafkaClient } from './kafka-client.ts'
import { reachCluster } from './reach-cluster.ts'
import { changesOf, type TopicChange, type TopicState } from './topic-changes.ts'
import { wantedTopics } from './topic-plan.ts'

/** The client's enumeration cannot be imported by name from an ES module. */
const topicResource: ConfigResourceTypes = 2

const [mostTries, retryMs] = [25, 200]

/** Looks at and changes the topics of the chain. Never shrinks or deletes. Errors are `kafka-*`. */
export class TopicAdmin implements AsyncDisposable {
  readonly #config: KafkaConfig
  readonly #admin: Admin

  private constructor(config: KafkaConfig) {
    this.#config = config
    this.#admin = kafkaClient(config).admin()
  }

  static async connect(config: KafkaConfig): Promise<TopicAdmin> {
    await reachCluster(config)
    const own = new TopicAdmin(config)
    try {
      await own.#admin.connect()
      return own
    } catch (error) {
      throw clientFailure(error, `connecting to ${config.brokers.join(', ')}`)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#admin.disconnect()
  }

  /** The topics of the chain that exist, by name. */
  async describe(): Promise<TopicState[]> {
    return this.#call('describing topics', async () => {
      const there = new Set(await this.#admin.listTopics())
      const topics = wantedTopics(this.#config)
        .filter(({ name }) => there.has(name))
        .map(({ name }) => name)
        .sort()
      if (topics.length === 0) return []
      const { topics: metadata } = await this.#admin.fetchTopicMetadata({ topics })
      const configs = await this.#admin.describeConfigs({
        includeSynonyms: false,
        resources: topics.map((name) => ({ type: topicResource, name })),
      })
      return topics.flatMap((name) => {
        const partitions = metadata.find((topic) => topic.name === name)?.partitions ?? []
        if (partitions.length === 0) return [] // deleted meanwhile
        const entries = configs.resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? []
        return {
          name,
          partitions: partitions.length,
          replicationFactor: partitions[0]?.replicas.length ?? 0,
          settings: new Map(entries.map(({ configName, configValue }) => [configName, configValue])),
        }
      })
    })
  }

  /** What `apply` would do, and what it would leave. */
  async plan(): Promise<TopicChange[]> {
    const states = new Map((await this.describe()).map((state) => [state.name, state]))
    return wantedTopics(this.#config).flatMap((spec) => changesOf(spec, states.get(spec.name)))
  }

  /** Makes the cluster what the configuration wants. Doing it again changes nothing. */
  async apply(): Promise<TopicChange[]> {
    const changes = await this.plan()
    await this.#call(
      'changing topics',
      async () => {
        const create = changes.flatMap((change) => (change.kind === 'create' ? [change.spec] : []))
        if (create.length > 0) {
          await this.#admin.createTopics({
            waitForLeaders: true,
            topics: create.map(({ name, partitions, replicationFactor, settings }) => ({
              topic: name,
              numPartitions: partitions,
              replicationFactor,
              configEntries: Object.entries(settings).map(([key, value]) => ({ name: key, value })),
            })),
          })
        }
        const grow = changes.flatMap((change) => (change.kind === 'grow' ? [{ topic: change.name, count: change.to }] : []))
        if (grow.length > 0) await this.#admin.createPartitions({ topicPartitions: grow })
        await this.#set(changes)
      },
      isPassingForNew,
    )
    const made = changes.flatMap((change) => (change.kind === 'create' ? [change.spec.name] : change.kind === 'grow' ? [change.name] : []))
    await this.#areLed(made)
    return changes
  }

  /**
   * Waits until new partitions answer. A busy broker names the leader before that serves: consumers that come then would rejoin
   * their group over and over, and be given the same records each time.
   */
  async #areLed(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#call(`waiting for ${name}`, () => this.#admin.fetchTopicOffsets(name), isPassingForNew)
  }

  /** Altering replaces the whole set of a topic's settings: those that stand are sent along. */
  async #set(changes: readonly TopicChange[]): Promise<void> {
    const names = new Set(changes.flatMap((change) => (change.kind === 'set' ? [change.name] : [])))
    if (names.size === 0) return
    const own = await this.#admin.describeConfigs({
      includeSynonyms: false,
      resources: [...names].map((name) => ({ type: topicResource, name })),
    })
    const resources = own.resources.map(({ resourceName, configEntries }) => {
      const settings = new Map(
        configEntries.filter(({ isDefault, configSource }) => !isDefault && Number(configSource) <= 1).map((entry) => [entry.configName, entry.configValue]),
      )
      for (const change of changes) if (change.kind === 'set' && change.name === resourceName) settings.set(change.key, change.to)
      return { type: topicResource, name: resourceName, configEntries: [...settings].map(([name, value]) => ({ name, value })) }
    })
    await this.#admin.alterConfigs({ validateOnly: false, resources })
  }

  /** Waits until the cluster serves consumer groups: a broker that has just started answers before its coordinator does. */
  async groupsAreServed(): Promise<void> {
    await this.#call('waiting for the group coordinator', async () => {
      const topics = (await this.describe()).slice(0, 1).map(({ name }) => name)
      await this.#admin.fetchOffsets({ groupId: `${this.#config.groupPrefix}.probe`, topics })
    })
  }

  /** What heals by waiting, a leader that is being elected or a coordinator that loads, is asked again for a while. */
  async #call<T>(action: string, call: () => Promise<T>, passes = isPassing): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await call()
      } catch (error) {
        if (tries >= mostTries || !passes(error)) throw clientFailure(error, action)
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }
}

/** A busy broker that has just made a topic may say for a moment that there is none. */
const isPassingForNew = (error: unknown): boolean => isPassing(error) || clientFailure(error, '').code === 'kafka-topic-missing'
