import { expect, it, vi } from 'vitest'
import type { Epoch } from '../../src/consumers/bus.ts'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { kafkaClient } from '../../src/consumers/kafka/kafka-client.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { kafkaTopic } from '../../src/consumers/kafka/topic-names.ts'
import { letter, Recorder } from '../support/bus-contract.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'

describeKafka('a group that reads a topic for the first time', () => {
  it('has a place in every partition once it has joined, where what is kept begins, and goes on from where it was', async () => {
    const config = testKafkaConfig()
    await using topics = await TopicAdmin.connect(config)
    await topics.apply()
    const topic = kafkaTopic(config.topicPrefix, 'documents', 'live')
    const groupId = `${config.groupPrefix}.page-render.live`
    const client = kafkaClient(config)
    const producer = client.producer()
    await producer.connect()
    // Three records, of which two are not kept any more: a scaler would count them as waiting, for ever.
    for (const value of ['a', 'b', 'c']) await producer.send({ topic, messages: [{ partition: 1, value }] })
    await producer.disconnect()
    const admin = client.admin()
    await admin.connect()
    await admin.fetchTopicOffsets(topic) // which makes the client look at the topic
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 1, offset: '2' }] })
    const places = async () => {
      const [group] = await admin.fetchOffsets({ groupId, topics: [topic] })
      return Object.fromEntries((group?.partitions ?? []).map(({ partition, offset }) => [partition, offset]))
    }
    const read: [Epoch, number, bigint][] = []
    const join = async () => {
      const bus = await KafkaBus.connect(config, 'live')
      const subscription = await bus.subscribe(
        { group: 'page-render', topics: ['documents'] },
        {
          records: ({ epoch, records }) => {
            for (const { partition, offset } of records) read.push([epoch, partition, offset])
          },
          assigned: () => {},
          revoked: () => {},
          fatal: () => {},
        },
      )
      return { bus, subscription }
    }
    expect(await places()).toEqual({ 0: '-1', 1: '-1', 2: '-1', 3: '-1' })
    const first = await join()
    await vi.waitFor(async () => expect(await places()).toEqual({ 0: '0', 1: '2', 2: '0', 3: '0' }), { timeout: 20_000, interval: 100 })
    await vi.waitFor(() => expect(read.map(([, partition, offset]) => [partition, offset])).toEqual([[1, 2n]]), { timeout: 20_000 })
    const [epoch] = read[0] ?? [0]
    expect(await first.subscription.commit(epoch, [{ topic: 'documents', partition: 1, offset: 3n }])).toBe('committed')
    await first.bus.close()

    const second = await join()
    await new Promise((resolve) => setTimeout(resolve, 2 * config.heartbeatIntervalMs))
    expect(await places()).toEqual({ 0: '0', 1: '3', 2: '0', 3: '0' })
    expect(read).toHaveLength(1)
    await second.bus.close()
    await admin.disconnect()
  })

  it('undoes no commit that is made right after the join, and none when another member comes', async () => {
    const config = testKafkaConfig({ partitions: 1 })
    await using topics = await TopicAdmin.connect(config)
    await topics.apply()
    const first = await KafkaBus.connect(config, 'live')
    const second = await KafkaBus.connect(config, 'live')
    await using _ = { [Symbol.asyncDispose]: async () => void (await Promise.all([first.close(), second.close()])) }
    for (let i = 0; i < 5; i++) await first.publish([letter(`${i}`)])
    const member = new Recorder()
    const subscription = await member.join(first, 'quick')
    expect(await subscription.commit(member.epoch, [{ topic: 'dead-letter', partition: 0, offset: 4n }])).toBe('committed')
    const admin = kafkaClient(config).admin()
    await admin.connect()
    const place = async () => {
      const [group] = await admin.fetchOffsets({ groupId: `${config.groupPrefix}.quick.live`, topics: [kafkaTopic(config.topicPrefix, 'dead-letter', 'live')] })
      return group?.partitions[0]?.offset
    }
    expect(await place()).toBe('4')
    await new Recorder().join(second, 'quick')
    await vi.waitFor(() => expect(member.epoch).toBeGreaterThan(1), { timeout: 20_000 })
    await new Promise((resolve) => setTimeout(resolve, 3 * config.heartbeatIntervalMs))
    expect(await place()).toBe('4')
    await admin.disconnect()
  })
})
