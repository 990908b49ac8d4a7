import { expect, it } from 'vitest'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { Resender } from '../../src/consumers/kafka/resender.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { kafkaTopic } from '../../src/consumers/kafka/topic-names.ts'
import { eventually, Recorder } from '../support/bus-contract.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

describeKafka('a record that is sent again', () => {
  it('counts as submitted at its replay, days after it was first; its trace and all else stay as they came', async () => {
    const config = testKafkaConfig({ partitions: 1 })
    await using admin = await TopicAdmin.connect(config)
    await admin.apply()
    const bus = await KafkaBus.connect(config, 'live')
    await using _ = { [Symbol.asyncDispose]: () => bus.close() }
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const headers: [string, string][] = [
      ['pagestream-submitted', base64('1700000000000')],
      ['traceparent', base64(traceparent)],
      ['theirs', base64('kept')],
    ]
    const before = Date.now()
    await using resender = await Resender.connect(config)
    const place = { topic: kafkaTopic(config.topicPrefix, 'dead-letter', 'live'), partition: 0, offset: '7', timestamp: '1700000000000' }
    await resender.send({ ...place, key: base64('k'), value: base64('{}'), headers })
    const reader = new Recorder()
    await reader.join(bus, 'replays')
    await eventually(() => expect(reader.records.length).toBe(1))
    const [{ record } = { record: undefined }] = reader.records
    expect(record?.submittedMs).toBeGreaterThanOrEqual(before)
    expect(record?.submittedMs).toBeLessThanOrEqual(Date.now())
    expect(record?.traceparent).toBe(traceparent)
    const byName = record?.origin?.headers.map(([name, value]) => [name, value?.toString()]) ?? []
    expect(byName.filter(([name]) => name === 'pagestream-submitted')).toHaveLength(1)
    expect(Object.fromEntries(byName)).toMatchObject({ theirs: 'kept', 'pagestream-replayed-from': `${place.topic}/0/7` })
  })
})
