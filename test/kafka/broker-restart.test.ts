import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { configSchema } from '../../src/config/config.ts'
import { packageRoot } from '../../src/config/package-root.ts'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { readTopic } from '../../src/consumers/kafka/topic-reader.ts'
import { brokerJars } from '../../src/demo/kafka/broker-jars.ts'
import { startCluster } from '../../src/demo/kafka/cluster.ts'
import { Submitter } from '../../src/inputs/submitter.ts'
import { openStore } from '../../src/store/open-store.ts'
import { textDocument } from '../support/kafka/test-chain.ts'
import { testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { tempFolder } from '../support/temp-folder.ts'

const jars = await brokerJars()
const missing = 'missing' in jars ? jars.missing : undefined
if (missing !== undefined && process.env.CI) throw new Error(`the tests of a broker that restarts need ${missing}`)

const documents = 400

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

// The broker is its own, as it is stopped.
describe.skipIf(missing !== undefined)(missing === undefined ? 'a worker whose broker restarts' : `a worker whose broker restarts (needs ${missing})`, () => {
  /** A broker, documents on its topic, and a worker process of all stages that has read some of them. */
  async function busyWorker(libs: string) {
    const cluster = await startCluster(libs)
    const folder = await tempFolder()
    // A session is longer than a drain may take, as by default.
    const kafka = testKafkaConfig({ brokers: [...cluster.addresses], sessionTimeoutMs: 18_000, heartbeatIntervalMs: 3000 })
    const keys = { kafka, store: { url: pathToFileURL(join(folder, 'store')).href }, ocr: 'never', workers: 1, worker: { drainMs: 15_000 } }
    const config = configSchema.parse(keys)
    await using admin = await TopicAdmin.connect(config.kafka)
    await admin.apply()
    const file = join(folder, 'worker.json')
    await writeFile(file, JSON.stringify(keys))
    const bus = await KafkaBus.connect(config.kafka, 'live')
    const submitter = new Submitter(config, await openStore(config.store), bus)
    for (let i = 0; i < documents; i++) {
      const path = join(folder, `${i}.pdf`)
      await writeFile(path, textDocument(3, `Report ${i}`))
      await submitter.send(await submitter.identify(path, `${i}.pdf`))
    }
    await bus.close()
    const worker = () => {
      const child = spawn(process.execPath, [join(packageRoot(), 'dist/bundle/cli.js'), 'worker', '--stage', 'all', '--lane', 'live', '--config', file])
      children.push(child)
      const said = { errors: '' }
      child.stderr.on('data', (piece) => {
        said.errors += piece
      })
      return { child, said }
    }
    const ended = async (count: number) => {
      const ids = new Set<string>()
      for await (const { key } of readTopic(config.kafka, { topic: 'documents.assembled', from: 'earliest', until: 'stopped', idleMs: 60_000 })) {
        if (ids.add(key).size >= count) break
      }
      return ids.size
    }
    const [broker] = cluster.brokers
    if (!broker) throw new Error('the cluster has no broker')
    return { cluster, broker, worker, ended }
  }

  it('drains in time when it is told to soon after the restart, and loses nothing', async () => {
    if ('missing' in jars) return
    const { cluster, broker, worker, ended } = await busyWorker(jars.folder)
    try {
      const { child, said } = worker()
      await ended(10)
      await broker.stop()
      await sleep(1000)
      await broker.start()
      await sleep(1000)
      child.kill('SIGTERM')
      const [code] = await once(child, 'exit')
      expect({ code, ...said }).toMatchObject({ code: 0 })
      worker()
      expect(await ended(documents)).toBe(documents)
    } finally {
      await cluster.close()
    }
  })
})
