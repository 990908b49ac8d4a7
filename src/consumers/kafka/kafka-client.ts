import { Kafka, type logCreator } from 'kafkajs'
import type { KafkaConfig } from '../../config/kafka-config.ts'
import { ClientSockets } from './client-sockets.ts'
import { clientSettings } from './kafka-settings.ts'

/** What makes the parts of a client. */
export type KafkaClient = Pick<Kafka, 'admin' | 'consumer' | 'producer'>

/** Each part has a client of its own: two consumers of one group made from one client share a cache of committed offsets, and all parts its connections. */
export function kafkaClient(
  config: KafkaConfig,
  { log, retries, requestTimeout }: { log?: logCreator | undefined; retries?: number; requestTimeout?: number } = {},
): KafkaClient {
  const settings = {
    ...clientSettings(config),
    logCreator: log ?? silent,
    ...(retries !== undefined && { retry: { retries } }),
    ...(requestTimeout !== undefined && { requestTimeout }),
  }
  const own = () => {
    const { make, endAll } = new ClientSockets()
    return { kafka: new Kafka({ ...settings, socketFactory: make }), endAll }
  }
  return {
    admin(options) {
      const { kafka, endAll } = own()
      const admin = kafka.admin(options)
      admin.on(admin.events.DISCONNECT, endAll)
      return admin
    },
    consumer(options) {
      const { kafka, endAll } = own()
      const consumer = kafka.consumer(options)
      consumer.on(consumer.events.DISCONNECT, endAll)
      return consumer
    },
    producer(options) {
      const { kafka, endAll } = own()
      const producer = kafka.producer(options)
      producer.on(producer.events.DISCONNECT, endAll)
      return producer
    },
  }
}

const silent: logCreator = () => () => {}
