import { Kafka, type logCreator } from 'kafkajs'
import type { KafkaConfig } from '../../config/kafka-config.ts'
import { clientSettings } from './kafka-settings.ts'

/** A client of its own for each consumer: two of one group made from one client share a cache of committed offsets. */
export const kafkaClient = (
  config: KafkaConfig,
  { log, retries, requestTimeout }: { log?: logCreator | undefined; retries?: number; requestTimeout?: number } = {},
): Kafka =>
  new Kafka({
    ...clientSettings(config),
    logCreator: log ?? silent,
    ...(retries !== undefined && { retry: { retries } }),
    ...(requestTimeout !== undefined && { requestTimeout }),
  })

const silent: logCreator = () => () => {}
