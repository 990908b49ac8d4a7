import { tryPort } from '../../runtime/processes/free-port.ts'
import { brokerSettings } from './broker-settings.ts'

/** The version of the jars. */
const image = 'apache/kafka:4.3.1'
const startMs = 180_000
/** Clients inside the container are told of the port that leads to it from outside, so both are the same. */
const data = '/tmp/kraft-combined-logs'

/** `log.dirs` → `KAFKA_LOG_DIRS`, as the image reads it. */
export const environmentOf = (settings: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [`KAFKA_${key.replaceAll('.', '_').toUpperCase()}`, String(value)]))

/** Starts a broker in a container, with the settings of the one that is started from jars. Rejects where the library or the image is not to be had. */
export async function startContainer(): Promise<{ readonly addresses: readonly string[]; close(): Promise<void> }> {
  const { GenericContainer, Wait } = await import('testcontainers')
  const [port, controllerPort] = [await tryPort('127.0.0.1', 0), await tryPort('127.0.0.1', 0)]
  const node = { id: 1, port, controllerPort }
  const listeners = { listeners: `PLAINTEXT://0.0.0.0:${port},CONTROLLER://127.0.0.1:${controllerPort}` }
  const container = await new GenericContainer(image)
    .withEnvironment(environmentOf({ ...brokerSettings(node, [node], data), ...listeners }))
    .withExposedPorts({ container: port, host: port })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .withStartupTimeout(startMs)
    .start()
  return { addresses: [`127.0.0.1:${port}`], close: async () => void (await container.stop()) }
}
