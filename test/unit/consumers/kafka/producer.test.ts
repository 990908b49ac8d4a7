import type { Kafka, Message, PartitionerArgs, ProducerBatch, ProducerConfig, RecordMetadata } from 'kafkajs'
import { expect, it } from 'vitest'
import { type Addressed, BatchingProducer } from '../../../../src/consumers/kafka/producer.ts'

type Sent = readonly { readonly topic: string; readonly partition: number; readonly message: Message }[]
/** What the broker says to a request; answers of partitions that it leaves out do not come. */
type Answer = (sent: Sent, producer: number, request: number) => readonly RecordMetadata[]

const acknowledged = (sent: Sent): RecordMetadata[] => sent.map(({ topic, partition }) => ({ topicName: topic, partition, errorCode: 0 }))

const refusal = (type: string): Error => Object.assign(new Error(type), { name: 'KafkaJSNonRetriableError', cause: Object.assign(new Error(type), { type }) })

/** A client whose producers are numbered, and a broker of two partitions a topic behind it. */
function cluster(answer: Answer) {
  const requests: { producer: number; sent: Sent }[] = []
  let made = 0
  const producer = ({ createPartitioner }: ProducerConfig) => {
    const number = ++made
    let connected = false
    const partitioner = createPartitioner?.()
    return {
      connect: async () => {
        connected = true
      },
      disconnect: async () => {
        connected = false
      },
      async sendBatch({ topicMessages = [] }: ProducerBatch) {
        if (!connected) throw Object.assign(new Error('The producer is disconnected'), { name: 'KafkaJSError' })
        const partitionMetadata = [{}, {}] as PartitionerArgs['partitionMetadata']
        const sent = topicMessages.flatMap(({ topic, messages }) =>
          messages.map((message) => ({ topic, message, partition: partitioner?.({ topic, partitionMetadata, message }) ?? -1 })),
        )
        requests.push({ producer: number, sent })
        return answer(sent, number, requests.length)
      },
    }
  }
  return { kafka: { producer } as unknown as Kafka, requests }
}

const record = (key: string, value = key): Addressed => ({ topic: 't', message: { key, value } })
const keysOf = (sent: Sent | undefined) => sent?.map(({ message }) => String(message.key))

it('sends what is asked for in the moment in which the last send is acknowledged', async () => {
  const { kafka, requests } = cluster(acknowledged)
  const producer = new BatchingProducer(kafka, 1000)
  for (let i = 0; i < 5; i++) await producer.send([record(`${i}`)])
  expect(requests.map(({ sent }) => keysOf(sent))).toEqual([['0'], ['1'], ['2'], ['3'], ['4']])
})

it('sends together what is asked for in one turn, within the size of a batch', async () => {
  const { kafka, requests } = cluster(acknowledged)
  const producer = new BatchingProducer(kafka, 1000)
  await Promise.all(['a', 'b', 'c', 'd'].map((key) => producer.send([record(key, 'x'.repeat(150))])))
  expect(requests.map(({ sent }) => keysOf(sent))).toEqual([['a', 'b', 'c'], ['d']])
})

it.each(['OUT_OF_ORDER_SEQUENCE_NUMBER', 'UNKNOWN_PRODUCER_ID', 'INVALID_PRODUCER_EPOCH'])(
  'sends with a new producer id what is refused with %s',
  async (type) => {
    const { kafka, requests } = cluster((sent, producer) => {
      if (producer === 1) throw refusal(type)
      return acknowledged(sent)
    })
    const producer = new BatchingProducer(kafka, 10_000)
    await producer.connect()
    await producer.send([record('a')])
    await producer.send([record('b')])
    expect(requests.map(({ producer: number, sent }) => [number, ...(keysOf(sent) ?? [])])).toEqual([
      [1, 'a'],
      [2, 'a'],
      [2, 'b'],
    ])
    await producer.close()
  },
)

it('sends again what an answer says nothing of', async () => {
  const { kafka, requests } = cluster((sent, _, request) => acknowledged(sent).filter(({ partition }) => request > 1 || partition === 0))
  const producer = new BatchingProducer(kafka, 10_000)
  await producer.connect()
  await producer.send(['a', 'b', 'c', 'd', 'e'].map((key) => record(key)))
  expect(requests).toHaveLength(2)
  expect(new Set(requests[0]?.sent.map(({ partition }) => partition)).size).toBe(2)
  expect(keysOf(requests[1]?.sent)).toEqual(['a', 'b', 'c', 'd', 'e'])
  await producer.close()
})

it('refuses only who asked for a record that is too large, and uses no producer id again that a refusal has put out of step', async () => {
  const { kafka, requests } = cluster((sent) => {
    if (sent.some(({ message }) => message.key === 'large')) throw refusal('MESSAGE_TOO_LARGE')
    return acknowledged(sent)
  })
  const producer = new BatchingProducer(kafka, 10_000)
  await producer.connect()
  const [one, large, other] = await Promise.allSettled([producer.send([record('one')]), producer.send([record('large')]), producer.send([record('other')])])
  expect([one.status, large, other.status]).toMatchObject(['fulfilled', { reason: { code: 'message-too-large' } }, 'fulfilled'])
  await producer.send([record('next')])
  const refused = requests.filter(({ sent }) => keysOf(sent)?.includes('large')).map(({ producer: number }) => number)
  const after = requests.slice(requests.findLastIndex(({ sent }) => keysOf(sent)?.includes('large')) + 1).map(({ producer: number }) => number)
  expect(after.every((number) => !refused.includes(number))).toBe(true)
  await producer.close()
})
