import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tryPort } from '../../runtime/processes/free-port.ts'
import { type BrokerNode, brokerSettings } from './broker-settings.ts'

const exec = promisify(execFile)

const jvm = ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData', '-Dorg.slf4j.simpleLogger.defaultLogLevel=info']
/** Any base64url UUID; all nodes of a cluster must be formatted with the same. */
const clusterId = '4L6g3nShT-eMCtK--X86sw'
const startMs = 90_000
const startTries = 3

/** Brokers outlive their parent otherwise. */
const live = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of live) child.kill('SIGKILL')
})

/** Lines of `server.properties` that win over ours. */
export type BrokerExtra = Readonly<Record<string, string | number>>

/** One broker of a cluster. */
export interface Broker {
  readonly address: string
  /** Again after `stop` or `kill`: same port, same data. */
  start(): Promise<void>
  /** A controlled shutdown. */
  stop(): Promise<void>
  kill(): Promise<void>
  /** Stops the process where it stands: it answers nothing until it is thawed. */
  freeze(): void
  thaw(): void
}

export interface Cluster {
  readonly brokers: readonly Broker[]
  readonly addresses: readonly string[]
  /** Ends all brokers and deletes their data. */
  close(): Promise<void>
}

/**
 * Starts Apache Kafka (KRaft, combined nodes) from the jars in `libs`, for tests and the demo: no topic is made by asking for
 * it, groups form at once. `formatting` are further arguments of the storage tool. Rejects with what the broker said when one does not start.
 */
export async function startCluster(libs: string, size = 1, extra: BrokerExtra = {}, formatting: readonly string[] = []): Promise<Cluster> {
  for (let tries = 1; ; tries++) {
    try {
      return await startOnce(libs, size, extra, formatting)
    } catch (error) {
      // A port that was free may be taken by the time the broker wants it.
      if (tries >= startTries || !(error instanceof Error) || !error.message.includes('Address already in use')) throw error
    }
  }
}

async function startOnce(libs: string, size: number, extra: BrokerExtra, formatting: readonly string[]): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'pagestream-kafka-'))
  const nodes: BrokerNode[] = []
  for (let id = 1; id <= size; id++) nodes.push({ id, port: await tryPort('127.0.0.1', 0), controllerPort: await tryPort('127.0.0.1', 0) })
  const brokers: Broker[] = []
  const close = async () => {
    await Promise.all(brokers.map((broker) => broker.kill()))
    await rm(folder, { recursive: true, force: true })
  }
  try {
    for (const node of nodes) brokers.push(await prepare(libs, folder, node, nodes, extra, formatting))
    await Promise.all(brokers.map((broker) => broker.start())) // all together: one of three waits for a quorum
  } catch (error) {
    await close()
    throw error
  }
  return { brokers, addresses: brokers.map((broker) => broker.address), close }
}

async function prepare(libs: string, folder: string, node: BrokerNode, all: readonly BrokerNode[], extra: BrokerExtra, formatting: readonly string[]) {
  const home = join(folder, String(node.id))
  await mkdir(home)
  const file = join(home, 'server.properties')
  const settings = { ...brokerSettings(node, all, join(home, 'data')), ...extra }
  await writeFile(
    file,
    Object.entries(settings)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  )
  const java = [...jvm, '-cp', `${libs}/*`]
  await exec('java', [...java, 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', file, ...formatting])
  return new LocalBroker(`127.0.0.1:${node.port}`, [...java, 'kafka.Kafka', file], join(home, 'broker.log'))
}

class LocalBroker implements Broker {
  readonly address: string
  readonly #command: readonly string[]
  readonly #log: string
  #child: ChildProcess | undefined

  constructor(address: string, command: readonly string[], log: string) {
    this.address = address
    this.#command = command
    this.#log = log
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const log = createWriteStream(this.#log, { flags: 'a' })
      const child = spawn('java', this.#command, { stdio: ['ignore', 'pipe', 'pipe'] })
      this.#child = child
      live.add(child)
      let tail = ''
      const timer = setTimeout(() => {
        child.kill('SIGKILL')
        reject(new Error(`starting Kafka: not ready after ${startMs} ms: ${tail}`))
      }, startMs)
      const read = (chunk: Buffer) => {
        log.write(chunk)
        tail = (tail + chunk.toString()).slice(-4096)
        if (!tail.includes('Kafka Server started')) return
        clearTimeout(timer)
        resolve()
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('exit', (code) => {
        live.delete(child)
        clearTimeout(timer)
        log.end()
        reject(new Error(`starting Kafka: the broker ended with ${code}: ${tail}`))
      })
    })
  }

  stop = (): Promise<void> => this.#end('SIGTERM')
  kill = (): Promise<void> => this.#end('SIGKILL')
  freeze = (): void => void this.#child?.kill('SIGSTOP')
  thaw = (): void => void this.#child?.kill('SIGCONT')

  #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
    return new Promise((resolve) => {
      child.once('exit', () => resolve())
      child.kill('SIGCONT')
      child.kill(signal)
    })
  }
}
