import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { configSchema } from '../../src/config/config.ts'
import { packageRoot } from '../../src/config/package-root.ts'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { Submitter } from '../../src/inputs/submitter.ts'
import { lanes } from '../../src/schema/lane.ts'
import { openStore } from '../../src/store/open-store.ts'
import { eventually } from '../support/bus-contract.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { show, tinyPdf } from '../support/tiny-pdf.ts'

async function startWorker(configFile: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(packageRoot(), 'dist/bundle/cli.js'), 'worker', '--stage', 'all', '--config', configFile], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.startsWith('ready:')) return child
    said.push(line)
  }
  throw new Error(`the worker ended: ${said.join('; ')}`)
}

/** How far each thread of a process gives way: field 19 of its `stat`, the 17th behind the name. */
function nicenessOfThreads(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })
}

describeKafka('one worker of both lanes', () => {
  it('reads documents of both, bulk in threads that give way, and drains', async () => {
    const folder = await tempFolder()
    const keys = { kafka: testKafkaConfig(), store: { url: pathToFileURL(join(folder, 'store')).href }, ocr: 'never', worker: { bulkNice: 11 } }
    const config = configSchema.parse(keys)
    await using admin = await TopicAdmin.connect(config.kafka)
    await admin.apply()
    const ended: string[] = []
    const fatal = (error: Error) => {
      throw error
    }
    const buses = await Promise.all(lanes.map((lane) => KafkaBus.connect(config.kafka, lane)))
    const configFile = join(folder, 'worker.json')
    await writeFile(configFile, JSON.stringify(keys))
    const worker = await startWorker(configFile)
    try {
      await buses[0]?.subscribe(
        { group: 'listener', topics: ['documents.assembled'] },
        { records: ({ records }) => ended.push(...records.map(({ key }) => key)), assigned: () => {}, revoked: () => {}, fatal },
      )
      const store = await openStore(config.store)
      const sent = await Promise.all(
        buses.map(async (bus, index) => {
          const path = join(folder, `${index}.pdf`)
          await writeFile(path, tinyPdf([{ content: show(`Sent in lane ${index}`, 72, 700) }]))
          const submitter = new Submitter(config, store, bus)
          const submitted = await submitter.identify(path, `${index}.pdf`)
          await submitter.send(submitted)
          return submitted.documentId
        }),
      )
      await eventually(() => expect([...ended].sort()).toEqual([...sent].sort()), 60_000)
      if (process.platform === 'linux') {
        const niceness = nicenessOfThreads(worker.pid ?? 0)
        const own = Math.min(...niceness)
        // Its own thread and one that reads PDFs.
        expect(niceness.filter((nice) => nice === Math.min(19, own + 11)).length).toBeGreaterThanOrEqual(2)
      }
    } finally {
      worker.kill('SIGTERM')
      await once(worker, 'exit')
      await Promise.all(buses.map((bus) => bus.close()))
    }
    expect(worker.exitCode).toBe(0)
  }, 120_000)
})
