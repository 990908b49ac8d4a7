import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { BackfillRecord } from '../../src/backfill/backfill-record.ts'
import { startCluster } from '../../src/demo/kafka/cluster.ts'
import { openStore } from '../../src/store/open-store.ts'
import { commandLine, configFile } from '../support/kafka/command-line.ts'
import { describeOwnBroker } from '../support/kafka/own-broker.ts'
import { textDocument } from '../support/kafka/test-chain.ts'
import { testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { tempFolder } from '../support/temp-folder.ts'

const documents = 200
const testMs = 120_000

describeOwnBroker('a worker whose broker restarts', (libs) => {
  /** A broker with topics, an archive, and the command line. */
  async function setUp() {
    const cluster = await startCluster(libs)
    const [broker] = cluster.brokers
    if (!broker) throw new Error('the cluster has no broker')
    const folder = await tempFolder()
    // A session is longer than the test may take: a member that is left behind would hold its group for as long.
    const kafka = testKafkaConfig({ brokers: [...cluster.addresses], sessionTimeoutMs: testMs, heartbeatIntervalMs: 3000 })
    const { config, file } = await configFile(folder, { kafka, ocr: 'never', workers: 1, worker: { drainMs: 15_000 } })
    const archive = join(folder, 'archive')
    await mkdir(archive)
    for (let i = 0; i < documents; i++) await writeFile(join(archive, `${i}.pdf`), textDocument(3, `Report ${i}`))
    const start = commandLine(file)
    const record = new BackfillRecord(await openStore(config.store), 'restart')
    const complete = async () => (await record.checkpoint()).ended.complete
    return { cluster, broker, archive, start, complete }
  }

  it('drains in time when it is told to soon after the restart, and leaves no group to be waited for', { timeout: testMs }, async () => {
    const { cluster, broker, archive, start, complete } = await setUp()
    try {
      const backfill = start('backfill', 'run', archive, '--run', 'restart')
      const worker = start('worker', '--stage', 'all', '--lane', 'bulk')
      while ((await complete()) < 10) await sleep(100)
      await broker.stop()
      await sleep(1000)
      await broker.start()
      await sleep(1000)
      worker.child.kill('SIGTERM')
      expect(await worker.done).toMatchObject({ code: 0 })
      start('worker', '--stage', 'all', '--lane', 'bulk')
      while ((await complete()) < documents) await sleep(100)
      // Neither a lost connection nor a group that does not answer keeps it.
      expect(await Promise.race([backfill.done, sleep(10_000, 'it goes on', { ref: false })])).toMatchObject({ code: 0 })
    } finally {
      await cluster.close()
    }
  })
})
