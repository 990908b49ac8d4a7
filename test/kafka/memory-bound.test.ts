import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { encode } from '../../src/consumers/kafka/cloud-events.ts'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { kafkaClient } from '../../src/consumers/kafka/kafka-client.ts'
import { BatchingProducer } from '../../src/consumers/kafka/producer.ts'
import { kafkaTopic } from '../../src/consumers/kafka/topic-names.ts'
import { readTopic } from '../../src/consumers/kafka/topic-reader.ts'
import { startCluster } from '../../src/demo/kafka/cluster.ts'
import { identify, revisionOf } from '../../src/inputs/identify.ts'
import { Submitter } from '../../src/inputs/submitter.ts'
import { tryPort } from '../../src/runtime/processes/free-port.ts'
import { type Lane, lanes } from '../../src/schema/lane.ts'
import { type StageName, stageNames } from '../../src/schema/stage.ts'
import { openStore } from '../../src/store/open-store.ts'
import { eventually } from '../support/bus-contract.ts'
import { commandLine, configFile } from '../support/kafka/command-line.ts'
import { describeOwnBroker } from '../support/kafka/own-broker.ts'
import { textDocument } from '../support/kafka/test-chain.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { parsePrometheusText } from '../support/prometheus-text.ts'
import { tempFolder } from '../support/temp-folder.ts'

const linux = process.platform === 'linux' ? undefined : 'Linux, whose /proc tells the memory of a process'

const mebibyte = 1024 ** 2
const perLane = 200
/** As large as topics take by default, less what the protocol adds. */
const largeBytes = mebibyte - 1200
/** What a lane leaves behind before its collector runs. */
const garbageBytes = 64 * mebibyte

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

/** Bytes that a process holds now and has held at most. */
function memoryOf({ pid }: ChildProcess): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytes = (name: string) => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1])
  return { now: bytes('VmRSS'), most: bytes('VmHWM') }
}

/** A bucket whose objects are given; what is asked of it while it is silent is answered when it speaks again. */
async function moodyBucket(objects: ReadonlyMap<string, Uint8Array>) {
  let silence = Promise.resolve()
  const server = createServer(async ({ url = '' }, response) => {
    await silence
    const bytes = objects.get(url.split(/[/?]/)[2] ?? '') ?? Buffer.from('<ListBucketResult/>')
    response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const fallSilent = () => {
    let speak = () => {}
    silence = new Promise((resolve) => {
      speak = resolve
    })
    return speak
  }
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, fallSilent }
}

/** A worker of all stages and both lanes, and what it tells of itself. */
async function startWorker(file: string) {
  const port = await tryPort('127.0.0.1', 0)
  const { child, said } = commandLine(file, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' })('worker', '--stage', 'all', '--port', `${port}`)
  await eventually(() => expect(said.errors).toContain('ready:'), 60_000)
  /** A metric of one stage, by lane. */
  const told = async (name: string, stage: StageName) => {
    const samples = parsePrometheusText(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).get(name)?.samples ?? []
    return lanes.map((lane) => samples.find(({ labels }) => labels.stage === stage && labels.lane === lane)?.value ?? Number.NaN)
  }
  return { child, told }
}

describeKafka(
  'the memory of a worker process',
  () => {
    it('stays bounded while records of 1 MiB wait for a stalled engine, and nothing of them is lost', async () => {
      const folder = await tempFolder()
      const objects = new Map([
        ['small.pdf', textDocument(1, 'Small')],
        ['large.pdf', textDocument(1, 'Large')],
      ])
      const bucket = await moodyBucket(objects)
      const { config, file } = await configFile(folder, {
        kafka: testKafkaConfig(),
        store: { url: pathToFileURL(join(folder, 'store')).href, endpoint: bucket.endpoint, region: 'us-east-1', pathStyle: true },
        inputs: { buckets: ['moody'] },
        ocr: 'never',
        workers: 1,
      })
      const producer = new BatchingProducer(kafkaClient(config.kafka), 1.5 * mebibyte)
      await producer.connect()
      /** Documents of both lanes, each record padded to so many bytes. */
      const send = async (name: string, recordBytes: number) => {
        const path = join(folder, name)
        await writeFile(path, objects.get(name) ?? '')
        const source = { ...(await identify(path, name, mebibyte)), path: `s3://moody/${name}` }
        const revision = revisionOf(source.sha256, config, undefined)
        const sendOne = (lane: Lane, documentId: string) => {
          const message = encode({ topic: 'documents', key: documentId, payload: { documentId, revision, source, ocr: config.ocr } })
          const value = String(message.value).padEnd(recordBytes)
          return producer.send([{ topic: kafkaTopic(config.kafka.topicPrefix, 'documents', lane), message: { ...message, value } }])
        }
        for (let i = 0; i < perLane; i++) await Promise.all(lanes.map((lane) => sendOne(lane, `${name}-${lane}-${i}`)))
      }
      /** Waits until so many documents have ended, each complete. */
      const ended = async (count: number) => {
        const keysSeen = new Set<string>()
        for await (const { key, payload } of readTopic(config.kafka, { topic: 'documents.assembled', from: 'earliest', until: 'stopped', idleMs: 60_000 })) {
          expect(payload).toMatchObject({ status: 'complete' })
          if (keysSeen.add(key).size === count) break
        }
        return keysSeen.size
      }
      const { child, told } = await startWorker(file)
      await send('small.pdf', 0)
      expect(await ended(2 * perLane)).toBe(2 * perLane)
      const usual = memoryOf(child).most

      const speak = bucket.fallSilent()
      await send('large.pdf', largeBytes)
      const held = () => told('pagestream_records_held_bytes', 'page-render')
      await sleep(2000)
      const taken = await held()
      await sleep(2000)
      // Partitions are paused: nothing more has come.
      expect(await held()).toEqual(taken)
      const mostHeld = config.worker.maxBufferedBytes + config.kafka.maxBytes
      for (const bytes of taken) {
        expect(bytes).toBeGreaterThanOrEqual(config.worker.maxBufferedBytes)
        expect(bytes).toBeLessThanOrEqual(mostHeld)
      }
      const bound = usual + lanes.length * (mostHeld + garbageBytes)
      speak()
      expect(await ended(4 * perLane)).toBe(4 * perLane)
      expect(memoryOf(child).most).toBeLessThan(bound)
      expect(await held()).toEqual([0, 0])
      await producer.close()
      child.kill('SIGTERM')
      expect((await once(child, 'exit'))[0]).toBe(0)
    })
  },
  linux,
)

describeOwnBroker(
  'a worker whose broker is away',
  (libs) => {
    it('holds its intake back while results wait, and ends the document when the broker is back', async () => {
      const pages = 3000
      const folder = await tempFolder()
      const cluster = await startCluster(libs)
      const [broker] = cluster.brokers
      try {
        const kafka = testKafkaConfig({ brokers: [...cluster.addresses] })
        const { config, file } = await configFile(folder, { kafka, ocr: 'never', workers: 1 })
        const path = join(folder, 'long.pdf')
        await writeFile(path, textDocument(pages))
        const { child, told } = await startWorker(file)
        const bus = await KafkaBus.connect(config.kafka, 'live')
        const submitter = new Submitter(config, await openStore(config.store), bus)
        await submitter.send(await submitter.identify(path, 'long.pdf'))
        await bus.close()
        const live = async (name: string, stage: StageName) => (await told(name, stage))[0] ?? Number.NaN
        const rendered = () => live('pagestream_pages_total', 'page-render')
        while ((await rendered()) < 200) await sleep(50)
        await broker?.stop()
        await sleep(1000)
        const [usual, before] = [memoryOf(child).now, await rendered()]
        await sleep(6000)
        // What was in hand waits to be sent, and nothing else is begun.
        expect(before).toBeLessThan(pages)
        expect(await rendered()).toBe(before)
        for (const stage of stageNames) expect(await live('pagestream_pages_in_flight', stage)).toBeLessThanOrEqual(config.worker.maxPagesInFlight)
        expect(await live('pagestream_pages_in_flight', 'page-render')).toBe(config.worker.maxPagesInFlight)
        expect(memoryOf(child).now - usual).toBeLessThan(garbageBytes)
        await broker?.start()
        for await (const { payload } of readTopic(config.kafka, { topic: 'documents.assembled', from: 'earliest', until: 'stopped', idleMs: 60_000 })) {
          expect(payload).toMatchObject({ status: 'complete', pages })
          break
        }
        expect(await rendered()).toBeGreaterThanOrEqual(pages)
      } finally {
        await cluster.close()
      }
    })
  },
  linux,
)
