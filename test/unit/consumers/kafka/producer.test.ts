import type { Kafka, ProducerBatch } from 'kafkajs'
import { expect, it } from 'vitest'
import { BatchingProducer } from '../../../../src/consumers/kafka/producer.ts'

/** What a broker would be sent. */
function fakeKafka() {
  const batches: string[][] = []
  const sendBatch = async ({ topicMessages = [] }: ProducerBatch) =>
    void batches.push(topicMessages.flatMap(({ messages }) => messages.map(({ key }) => `${key}`)))
  return { batches, kafka: { producer: () => ({ sendBatch }) } as unknown as Kafka }
}

const record = (key: string, value = '') => ({ topic: 't', message: { key, value } })

it('sends what is asked for in the moment in which the last send is acknowledged', async () => {
  const { kafka, batches } = fakeKafka()
  const producer = new BatchingProducer(kafka, 1000)
  for (let i = 0; i < 5; i++) await producer.send([record(`${i}`)])
  expect(batches).toEqual([['0'], ['1'], ['2'], ['3'], ['4']])
})

it('sends together what is asked for in one turn, within the size of a batch', async () => {
  const { kafka, batches } = fakeKafka()
  const producer = new BatchingProducer(kafka, 1000)
  await Promise.all(['a', 'b', 'c', 'd'].map((key) => producer.send([record(key, 'x'.repeat(150))])))
  expect(batches).toEqual([['a', 'b', 'c'], ['d']])
})
