// node main.mjs sink | ask QUESTION...
import { Kafka } from 'kafkajs'
import pg from 'pg'
import { ask, print } from './ask.mjs'
import { prepare, sink } from './sink.mjs'

const { KAFKA_BROKERS = 'localhost:9092', TOPIC_PREFIX = 'pagestream', GROUP = 'rag-sink', DATABASE_URL = 'postgres://localhost/pagestream' } = process.env
const [command, ...words] = process.argv.slice(2)

const db = new pg.Client({ connectionString: DATABASE_URL })
await db.connect()
await prepare(db)

if (command === 'ask' && words.length > 0) {
  const passages = await ask(db, words.join(' '))
  console.log(passages.length > 0 ? passages.map(print).join('\n\n') : 'Nothing found.')
  await db.end()
} else if (command === 'sink') {
  const consumer = new Kafka({ clientId: 'rag-sink', brokers: KAFKA_BROKERS.split(',') }).consumer({ groupId: GROUP })
  await consumer.connect()
  await sink({ consumer, db, topic: `${TOPIC_PREFIX}.chunks.v1`, onBatch: (count) => console.log(`${count} records written`) })
  // kafkajs does not come back from every error: the process ends, and whoever started it starts it again.
  consumer.on(consumer.events.CRASH, ({ payload }) => !payload.restart && process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => consumer.disconnect().then(() => db.end()))
} else {
  console.error('usage: node main.mjs sink | ask QUESTION...')
  process.exitCode = 2
  await db.end()
}
