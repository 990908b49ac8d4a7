// node main.mjs sink | ask QUESTION...
import { Kafka } from 'kafkajs'
import pg from 'pg'
import { ask, print } from './ask.mjs'
import { failureLine, open } from './database.mjs'
import { sink } from './sink.mjs'

const { KAFKA_BROKERS = 'localhost:9092', TOPIC_PREFIX = 'pagestream', GROUP = 'rag-sink', DATABASE_URL = 'postgres://localhost/pagestream' } = process.env
const [command, ...words] = process.argv.slice(2)

const db = new pg.Client({ connectionString: DATABASE_URL })
// A connection that breaks later: the process ends, and whoever started it starts it again.
db.on('error', (error) => end(failureLine(error, DATABASE_URL)))

try {
  if (command === 'ask' && words.length > 0) {
    await open(db, DATABASE_URL)
    const passages = await ask(db, words.join(' '))
    console.log(passages.length > 0 ? passages.map(print).join('\n\n') : 'Nothing found.')
    await db.end()
  } else if (command === 'sink') {
    await open(db, DATABASE_URL)
    const consumer = new Kafka({ clientId: 'rag-sink', brokers: KAFKA_BROKERS.split(',') }).consumer({ groupId: GROUP })
    await consumer.connect()
    await sink({ consumer, db, topic: `${TOPIC_PREFIX}.chunks.v1`, onBatch: (count) => console.log(`${count} records written`) })
    // kafkajs does not come back from every error.
    consumer.on(consumer.events.CRASH, ({ payload }) => !payload.restart && process.exit(1))
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => consumer.disconnect().then(() => db.end()))
  } else {
    console.error('usage: node main.mjs sink | ask QUESTION...')
    process.exitCode = 2
  }
} catch (error) {
  end(error.message)
}

function end(line) {
  console.error(`rag-sink: ${line}`)
  process.exit(1)
}
