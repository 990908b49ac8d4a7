import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { OutRecord } from '../../src/consumers/bus.ts'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { kafkaClient } from '../../src/consumers/kafka/kafka-client.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { kafkaTopic } from '../../src/consumers/kafka/topic-names.ts'
import { readTopic } from '../../src/consumers/kafka/topic-reader.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { source } from '../support/page-results.ts'

const document = (documentId: string): OutRecord => ({ topic: 'documents', key: 'k', payload: { documentId, revision: 'r', source, ocr: 'never' } })

describeKafka('a topic that takes smaller records than others', () => {
  it('refuses those that are too large, and nothing that is sent with them or after them is lost', async () => {
    const config = testKafkaConfig({ partitions: 1 })
    await using topics = await TopicAdmin.connect(config)
    await topics.apply()
    const admin = kafkaClient(config).admin()
    await admin.connect()
    const name = kafkaTopic(config.topicPrefix, 'pages.recognized', 'live')
    await admin.alterConfigs({ validateOnly: false, resources: [{ type: 2, name, configEntries: [{ name: 'max.message.bytes', value: '3000' }] }] })
    await admin.disconnect()
    const bus = await KafkaBus.connect(config, 'live')
    const large: OutRecord = {
      topic: 'pages.recognized',
      key: 'k',
      payload: {
        kind: 'document',
        documentId: 'k',
        revision: 'r',
        source,
        failure: { class: 'input', code: 'document-corrupt', message: randomUUID().repeat(200) },
      },
    }
    // Both parts go in one request: the one is kept, the other refused, and the client takes its count of both back.
    const [kept, refused] = await Promise.allSettled([bus.publish([document('1')]), bus.publish([large])])
    expect([kept.status, refused]).toMatchObject(['fulfilled', { reason: { code: 'message-too-large' } }])
    await bus.publish([document('2')])
    await bus.publish([document('3'), document('4')])
    await bus.close()
    const found = new Set<string>()
    for await (const { payload } of readTopic(config, { topic: 'documents', lane: 'live', from: 'earliest', until: 'end' })) {
      if (payload !== null && 'documentId' in payload) found.add(payload.documentId)
    }
    expect([...found].sort()).toEqual(['1', '2', '3', '4'])
  })
})
