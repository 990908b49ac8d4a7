import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { BackfillRecord } from '../../src/backfill/backfill-record.ts'
import { readTopic } from '../../src/consumers/kafka/topic-reader.ts'
import { stageNames } from '../../src/schema/stage.ts'
import { openBucket, openStore } from '../../src/store/open-store.ts'
import { Worker } from '../../src/worker/worker.ts'
import { commandLine, configFile, lastLine } from '../support/kafka/command-line.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { startS3Server } from '../support/s3-server.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { show, tinyPdf } from '../support/tiny-pdf.ts'

const server = await startS3Server()
const running = 'missing' in server ? undefined : server
afterAll(() => running?.close())

/** More than one page of a listing. */
const objects = 1050
const document = (i: number) => tinyPdf([{ content: show(`Document ${i} says a line that is long enough to be read as text`, 72, 700) }])

async function bucketOf() {
  if (!running) throw new Error('no server')
  const { bucket, endpoint, region, pathStyle } = await running.bucket()
  const folder = await tempFolder()
  const { config, file } = await configFile(folder, {
    kafka: testKafkaConfig(),
    store: { url: pathToFileURL(join(folder, 'store')).href, endpoint, region, pathStyle },
    inputs: { buckets: [`${bucket}/archive`] },
    ocr: 'never',
    backfill: { pollMs: 200, checkpointEntries: 50, targetDocuments: 5000 },
  })
  const archive = await openBucket(config.store, bucket, '')
  const puts = Array.from({ length: objects }, (_, i) => [`archive/${i % 7}/${i}.pdf`, document(i)] as const)
  while (puts.length > 0) await Promise.all(puts.splice(0, 16).map(([key, bytes]) => archive.put(key, bytes)))
  for (const [key, text] of [
    ['archive/notes.txt', 'no document'],
    ['archive/.hidden.pdf', 'hidden'],
    ['archived/other.pdf', 'a neighbour'],
  ] as const)
    await archive.put(key, Buffer.from(text))
  const pagestream = commandLine(file)
  const cli = (...args: string[]) => {
    const { child, done } = pagestream('backfill', ...args, '--json')
    return { child, done: done.then(({ out, ...rest }) => ({ ...rest, end: lastLine(out) })) }
  }
  return { config, cli, url: `s3://${bucket}/archive`, bucket, record: new BackfillRecord(await openStore(config.store), 'bucket') }
}

describe.skipIf(!running)(`a bucket as archive${'missing' in server ? ` (needs ${server.missing})` : ''}`, () => {
  describeKafka('over a real broker', () => {
    it('is planned, read over several pages of its listing, and goes on in the middle of it after a kill', async () => {
      const { config, cli, url, bucket, record } = await bucketOf()
      const plan = await cli('plan', url, '--sample', '4').done
      expect(plan.end).toMatchObject({ entries: objects + 1, sampled: 4, refused: 0 })
      expect((await cli('run', `s3://${bucket}`, '--run', 'forbidden').done).errors).toContain('input-forbidden')

      const killed = cli('run', url, '--run', 'bucket', '--in-place', '--rate', '300')
      await vi.waitFor(async () => expect((await record.checkpoint()).sent).toBeGreaterThan(200), { timeout: 60_000, interval: 20 })
      killed.child.kill('SIGKILL')
      await killed.done
      const left = await record.checkpoint()
      expect(left.position).toMatch(/^archive\/\d\/\d+\.pdf$/)
      expect(left.entries).toBeLessThan(objects)
      await new Promise((resolve) => setTimeout(resolve, 2200))
      const resumed = cli('run', url, '--run', 'bucket')
      await vi.waitFor(async () => expect((await record.checkpoint()).enumerated).toBe(true), { timeout: 60_000, interval: 100 })
      const names: string[] = []
      for await (const { payload } of readTopic(config.kafka, { topic: 'documents', lane: 'bulk', from: 'earliest', until: 'end' })) {
        if (payload && 'source' in payload) names.push(payload.source.path)
      }
      expect(new Set(names).size).toBe(objects)
      expect(names.length - objects).toBeLessThanOrEqual(50)
      expect(names.every((name) => name.startsWith(url))).toBe(true)

      await using worker = new Worker({
        ...{ config, stages: new Set(stageNames), lanes: ['bulk'] },
        onFatal: (error) => {
          throw error
        },
      })
      await worker.start()
      const { end, code } = await resumed.done
      expect(end).toMatchObject({ state: 'done', entries: objects + 1, sent: objects, leftOut: 1, ended: { complete: objects, partial: 0, failed: 0 } })
      expect(code).toBe(0)
    }, 240_000)
  })
})
