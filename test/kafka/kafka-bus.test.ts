import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { busContract } from '../support/bus-contract.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'

describeKafka('the bus over a real broker', () => {
  busContract('KafkaBus', async () => {
    const config = testKafkaConfig()
    await using admin = await TopicAdmin.connect(config)
    await admin.apply()
    return KafkaBus.connect(config, 'live')
  })
})
