import { randomBytes, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { KafkaConfig } from '../../src/config/kafka-config.ts'
import type { OutRecord } from '../../src/consumers/bus.ts'
import { openedKey, unfinishedKey } from '../../src/consumers/chain/keys.ts'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { kafkaClient } from '../../src/consumers/kafka/kafka-client.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { kafkaTopic } from '../../src/consumers/kafka/topic-names.ts'
import { readTopic } from '../../src/consumers/kafka/topic-reader.ts'
import type { TopicName } from '../../src/schema/topics.ts'
import { openStore } from '../../src/store/open-store.ts'
import { StoreArtifacts } from '../../src/store/store-artifacts.ts'
import { commandLine, configFile } from '../support/kafka/command-line.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { source } from '../support/page-results.ts'
import { tempFolder } from '../support/temp-folder.ts'

const document = (documentId: string): OutRecord => ({ topic: 'documents', key: 'k', payload: { documentId, revision: 'r', source, ocr: 'never' } })

async function setUp(config: KafkaConfig, topic: TopicName, name: string, value: string): Promise<void> {
  const admin = kafkaClient(config).admin()
  await admin.connect()
  const resource = { type: 2, name: kafkaTopic(config.topicPrefix, topic, 'live'), configEntries: [{ name, value }] }
  await admin.alterConfigs({ validateOnly: false, resources: [resource] })
  await admin.disconnect()
}

describeKafka('a topic that takes smaller records than others', () => {
  it('refuses those that are too large, and nothing that is sent with them or after them is lost', async () => {
    const config = testKafkaConfig({ partitions: 1 })
    await using topics = await TopicAdmin.connect(config)
    await topics.apply()
    await setUp(config, 'pages.recognized', 'max.message.bytes', '3000')
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

describeKafka('a replay of records that their topics do not take', () => {
  it('sends the others, ends with 1, names them, and leaves their documents as they were', async () => {
    const { config, file } = await configFile(await tempFolder(), { kafka: testKafkaConfig({ partitions: 1 }) })
    const { kafka } = config
    await setUp(kafka, 'pages.rendered', 'max.message.bytes', '3000')
    await setUp(kafka, 'pages.gated', 'cleanup.policy', 'compact') // such a topic takes no record without a key
    const artifacts = new StoreArtifacts(await openStore(config.store))
    const failure = { class: 'input', code: 'page-corrupt', message: 'reading a page' } as const
    const letters = (['pages.rendered', 'pages.gated', 'pages.layout'] as const).map((topic, index): OutRecord => {
      const place = { topic: kafkaTopic(kafka.topicPrefix, topic, 'live'), partition: 0, offset: '0' }
      const original = { ...place, timestamp: '0', key: null, value: randomBytes(topic === 'pages.rendered' ? 4000 : 10).toString('base64'), headers: [] }
      const about = { stage: 'layout', topic, documentId: `${index}`, revision: 'r', pageIndex: 0, failure, record: {} } as const
      return { topic: 'dead-letter', key: `${index}`, payload: { ...about, original } }
    })
    for (const documentId of ['0', '1', '2']) {
      await artifacts.put(openedKey(documentId, 'r'), { documentId, revision: 'r', source, pages: [0] }, 'passing')
      const end = { documentId, revision: 'r', source, status: 'failed', pages: 1, failedPages: 1, outputs: [] }
      await artifacts.put(unfinishedKey(documentId, 'r'), end, 'passing')
    }
    const bus = await KafkaBus.connect(kafka, 'live')
    await bus.publish(letters)
    await bus.close()
    const pagestream = commandLine(file)
    const { code, out } = await pagestream('dlq', 'replay', '--all', '--json').done
    const became = out.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as { documentId: string; became: string })))
    expect(became.map((each) => `${each.documentId} ${each.became}`).sort()).toEqual(['0 refused', '1 refused', '2 sent'])
    expect(code).toBe(1)
    const again = await pagestream('dlq', 'replay', '--all').done
    expect(again).toMatchObject({ code: 1, out: expect.stringContaining('the broker does not take its record') })
    for (const [documentId, state] of ['failed', 'failed', 'opened'].entries()) {
      const status = await pagestream('status', '--document', `${documentId}`, '--json').done
      expect(JSON.parse(status.out), documentId.toString()).toMatchObject({ state })
    }
  })
})
