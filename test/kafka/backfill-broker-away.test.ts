import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, it, vi } from 'vitest'
import { BackfillRecord } from '../../src/backfill/backfill-record.ts'
import { configSchema } from '../../src/config/config.ts'
import { packageRoot } from '../../src/config/package-root.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { startCluster } from '../../src/demo/kafka/cluster.ts'
import { openStore } from '../../src/store/open-store.ts'
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
    const keys = {
      kafka: testKafkaConfig({ brokers: [...cluster.addresses] }),
      store: { url: pathToFileURL(join(folder, 'store')).href },
      backfill: { pollMs: 100, checkpointEntries: 5 },
    }
    const file = join(folder, 'config.json')
    await writeFile(file, JSON.stringify(keys))
    const config = configSchema.parse(keys)
    const admin = await TopicAdmin.connect(config.kafka)
    await admin.apply()
    await admin[Symbol.asyncDispose]()
    const command = ['backfill', 'run', archive, '--run', 'away', '--rate', '5', '--config', file]
    const child = spawn(process.execPath, [join(packageRoot(), 'dist/bundle/cli.js'), ...command], { stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    child.stderr.on('data', (piece) => {
      errors += piece
    })
    try {
      const record = new BackfillRecord(await openStore(config.store), 'away')
      await vi.waitFor(async () => expect((await record.checkpoint()).entries).toBeGreaterThan(5), { timeout: 60_000, interval: 100 })
      await cluster.brokers[0]?.kill()
      await sleep(2000)
      child.kill('SIGTERM')
      const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(longestEndMs) })
      expect({ code, errors }).toMatchObject({ code: 130 })
      const { state, entries } = await record.checkpoint()
      expect(state).toBe('stopped')
      expect(entries).toBeGreaterThan(5)
      expect(entries).toBeLessThan(documents)
    } finally {
      child.kill('SIGKILL')
      await cluster.close()
    }
  })
})
