import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { Submitter } from '../../src/inputs/submitter.ts'
import { lanes } from '../../src/schema/lane.ts'
import { openStore } from '../../src/store/open-store.ts'
import { eventually } from '../support/bus-contract.ts'
import { commandLine, configFile } from '../support/kafka/command-line.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { show, tinyPdf } from '../support/tiny-pdf.ts'

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
    const { config, file } = await configFile(folder, { kafka: testKafkaConfig(), ocr: 'never', worker: { bulkNice: 11 } })
    const ended: string[] = []
    const fatal = (error: Error) => {
      throw error
    }
    const buses = await Promise.all(lanes.map((lane) => KafkaBus.connect(config.kafka, lane)))
    const { child: worker, said, done } = commandLine(file)('worker', '--stage', 'all')
    await eventually(() => expect(said.errors).toContain('ready:'), 60_000)
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
      await done
      await Promise.all(buses.map((bus) => bus.close()))
    }
    expect(worker.exitCode).toBe(0)
  }, 120_000)
})
