import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { BackfillRecord } from '../../src/backfill/backfill-record.ts'
import { startCluster } from '../../src/demo/kafka/cluster.ts'
import { openStore } from '../../src/store/open-store.ts'
import { commandLine, configFile } from '../support/kafka/command-line.ts'
import { describeOwnBroker } from '../support/kafka/own-broker.ts'
import { testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { show, tinyPdf } from '../support/tiny-pdf.ts'

const documents = 60
/** The last answers have five seconds, the client gives up a try of its own after some more. */
const longestEndMs = 45_000

describeOwnBroker('a backfill whose broker is away', (libs) => {
  it('ends at the first signal and keeps its place', async () => {
    const cluster = await startCluster(libs)
    const folder = await tempFolder()
    const archive = join(folder, 'archive')
    await mkdir(archive)
    for (let i = 0; i < documents; i++) await writeFile(join(archive, `${i}.pdf`), tinyPdf([{ content: show(`Document ${i}`, 72, 700) }]))
    const { config, file } = await configFile(folder, {
      kafka: testKafkaConfig({ brokers: [...cluster.addresses] }),
      backfill: { pollMs: 100, checkpointEntries: 5 },
    })
    const { child, done } = commandLine(file)('backfill', 'run', archive, '--run', 'away', '--rate', '5')
    try {
      const record = new BackfillRecord(await openStore(config.store), 'away')
      await vi.waitFor(async () => expect((await record.checkpoint()).entries).toBeGreaterThan(5), { timeout: 60_000, interval: 100 })
      await cluster.brokers[0]?.kill()
      await sleep(2000)
      child.kill('SIGTERM')
      expect(await Promise.race([done, sleep(longestEndMs, 'it goes on', { ref: false })])).toMatchObject({ code: 130 })
      const { state, entries } = await record.checkpoint()
      expect(state).toBe('stopped')
      expect(entries).toBeGreaterThan(5)
      expect(entries).toBeLessThan(documents)
    } finally {
      await cluster.close()
    }
  })
})
