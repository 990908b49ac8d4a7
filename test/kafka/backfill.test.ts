import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, it, vi } from 'vitest'
import { BackfillRecord } from '../../src/backfill/backfill-record.ts'
import { configSchema } from '../../src/config/config.ts'
import { readTopic } from '../../src/consumers/kafka/topic-reader.ts'
import { stageNames } from '../../src/schema/stage.ts'
import { openStore } from '../../src/store/open-store.ts'
import { Worker } from '../../src/worker/worker.ts'
import { commandLine, configFile } from '../support/kafka/command-line.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { show, tinyPdf } from '../support/tiny-pdf.ts'

const eventually = (check: () => Promise<void>, timeout: number) => vi.waitFor(check, { timeout, interval: 50 })

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
})

const page = (word: string) => ({ content: show(`${word} says a line that is long enough to be read as text`, 72, 700) })

/** Topics, a store and an archive of so many documents in two folders; the command line in processes of their own. */
async function cluster(documents: number, backfill: Record<string, unknown> = {}) {
  const folder = await tempFolder()
  const archive = join(folder, 'archive')
  for (const part of ['a', 'b']) await mkdir(join(archive, part), { recursive: true })
  for (let i = 0; i < documents; i++) {
    await writeFile(join(archive, i % 2 ? 'a' : 'b', `${String(i).padStart(4, '0')}.pdf`), tinyPdf([page(`Document ${i}`)]))
  }
  const base = { kafka: testKafkaConfig(), store: { url: pathToFileURL(join(folder, 'store')).href }, ocr: 'never', backfill: { pollMs: 100, ...backfill } }
  const { file, ...made } = await configFile(folder, base)
  let { config } = made
  const store = await openStore(config.store)
  const pagestream = commandLine(file)
  const cli = (...args: string[]) => pagestream('backfill', ...args)
  const work = async () => {
    const fatal = (error: Error) => {
      throw error
    }
    const worker = new Worker({ config, stages: new Set(stageNames), lanes: ['bulk'], onFatal: fatal })
    open.push(worker)
    await worker.start()
  }
  const close = async () => {
    for (const each of open.splice(0)) await each[Symbol.asyncDispose]()
  }
  /** Other settings for workers and commands that are started from now on. */
  const configure = async (more: Record<string, unknown>) => {
    config = configSchema.parse({ ...base, ...more })
    await writeFile(file, JSON.stringify({ ...base, ...more }))
  }
  const assembled = async () => {
    const found: { key: string; run: string | undefined }[] = []
    for await (const { key, run } of readTopic(config.kafka, { topic: 'documents.assembled', from: 'earliest', until: 'end' })) found.push({ key, run })
    return found
  }
  const sent = async () => {
    const found: { key: string; run: string | undefined }[] = []
    for await (const { key, run } of readTopic(config.kafka, { topic: 'documents', lane: 'bulk', from: 'earliest', until: 'end' })) found.push({ key, run })
    return found
  }
  return { archive, config, store, cli, pagestream, work, sent, assembled, close, configure, record: (run: string) => new BackfillRecord(store, run) }
}

const last = ({ out }: { out: string }) => JSON.parse(out.trim().split('\n').at(-1) ?? '{}')

describeKafka('backfill over a real broker', () => {
  it('reads a folder to its end, with the run on every event, and passes over what is done the next time', async () => {
    const { archive, cli, work, config, sent } = await cluster(12)
    await writeFile(join(archive, 'a', 'broken.pdf'), '%PDF-1.7 and nothing more')
    await work()
    const first = await cli('run', archive, '--run', 'first', '--json').done
    const lines = first.out.trim().split('\n')
    const end = JSON.parse(lines.at(-1) ?? '{}')
    expect(end).toMatchObject({ run: 'first', state: 'done', entries: 13, sent: 13, pages: 12, ended: { complete: 12, partial: 0, failed: 1 } })
    expect(end).toMatchObject({ failures: { input: 1 }, gated: { pages: 12, withoutModel: 12 }, total: 13, lost: 0 })
    expect(first.code).toBe(1)
    expect((await sent()).every(({ run }) => run === 'first')).toBe(true)
    for (const topic of ['pages.rendered', 'pages.recognized', 'blocks', 'documents.assembled', 'chunks', 'dead-letter'] as const) {
      let records = 0
      for await (const { run } of readTopic(config.kafka, { topic, lane: 'bulk', from: 'earliest', until: 'end' })) {
        records++
        expect(run, topic).toBe('first')
      }
      expect(records, topic).toBeGreaterThan(0)
    }
    const problems = (await cli('status', 'first', '--problems', '--json').done).out.trim().split('\n')
    expect(problems.map((line) => JSON.parse(line))).toEqual([
      { event: 'problem', what: 'failed', name: 'a/broken.pdf', code: expect.any(String), document: expect.any(String), failedPages: 0 },
    ])
    const again = JSON.parse((await cli('run', archive, '--run', 'second', '--json').done).out.trim().split('\n').at(-1) ?? '{}')
    expect(again).toMatchObject({ state: 'done', entries: 13, sent: 1, passedOver: 12 })
    const failed = JSON.parse((await cli('run', archive, '--run', 'third', '--reprocess', 'failed', '--json').done).out.trim().split('\n').at(-1) ?? '{}')
    expect(failed).toMatchObject({ state: 'done', sent: 1, passedOver: 12 })
  })

  it('sends no more than the interval of its checkpoints twice after a kill, and leaves nothing out', async () => {
    const { archive, cli, sent, record } = await cluster(90, { checkpointEntries: 10, targetDocuments: 1000, pollMs: 500 })
    const killed = cli('run', archive, '--run', 'killed', '--rate', '8')
    await eventually(async () => expect((await record('killed').checkpoint()).sent).toBeGreaterThan(20), 30_000)
    const busy = await cli('run', archive, '--run', 'killed').done
    expect(busy.errors).toContain('backfill-busy')
    killed.child.kill('SIGKILL')
    await killed.done
    // At once: it goes on here when the killed one is not heard any more.
    cli('resume', 'killed')
    await eventually(async () => expect((await record('killed').checkpoint()).enumerated).toBe(true), 30_000)
    const keys = (await sent()).map(({ key }) => key)
    expect(new Set(keys).size).toBe(90)
    expect(keys.length - 90).toBeLessThanOrEqual(10)
  })

  it('reads all anew beside what is there, which stays until the new is whole, and once: resumed or repeated it has nothing to do', async () => {
    const { archive, cli, work, store, assembled } = await cluster(3)
    await writeFile(join(archive, 'a', 'notes.txt'), 'no document, and not named like one')
    await work()
    expect(last(await cli('run', archive, '--run', 'first', '--json').done)).toMatchObject({ state: 'done', sent: 3, leftOut: 1, entries: 4 })
    const keys = async (prefix: string) => {
      const found: string[] = []
      for await (const key of store.list(prefix)) found.push(key)
      return found
    }
    const [before, results] = [await keys('done/'), await keys('results/')]
    const anew = await cli('run', archive, '--run', 'anew', '--reprocess', 'all', '--json').done
    expect(last(anew)).toMatchObject({ state: 'done', sent: 3, pages: 3, ended: { complete: 3, partial: 0, failed: 0 } })
    expect(anew.code).toBe(0)
    const after = await keys('done/')
    expect(after).toHaveLength(6)
    expect(after).toEqual(expect.arrayContaining(before))
    expect(await keys('results/')).toEqual(expect.arrayContaining(results))
    // The same settings: nothing is read again by a run that only wants what is missing, whichever reading came first.
    for (const key of before) await store.delete(key)
    expect(last(await cli('run', archive, '--run', 'plain', '--json').done)).toMatchObject({ sent: 0, passedOver: 3 })
    expect((await assembled()).map(({ run }) => run).sort()).toEqual(['anew', 'anew', 'anew', 'first', 'first', 'first'])
  })

  it('finds what was made with other models, with other settings, or ended with failures', async () => {
    const { archive, cli, work, close, configure } = await cluster(3)
    await writeFile(join(archive, 'b', 'broken.pdf'), '%PDF-1.7 and nothing more')
    await work()
    expect(last(await cli('run', archive, '--run', 'first', '--json').done)).toMatchObject({ sent: 4, ended: { complete: 3, failed: 1 } })
    const sends = async (run: string, mode: string) => {
      const { sent, passedOver, ended } = last(await cli('run', archive, '--run', run, '--reprocess', mode, '--json').done)
      return { sent, passedOver, ended }
    }
    for (const mode of ['model', 'config']) expect(await sends(`none-${mode}`, mode), mode).toMatchObject({ sent: 0, passedOver: 4 })
    expect(await sends('failed', 'failed')).toMatchObject({ sent: 1, passedOver: 3, ended: { failed: 1 } })
    await close()
    await configure({ chunks: { maxTokens: 300 } })
    await work()
    expect(await sends('not-model', 'model')).toMatchObject({ sent: 0, passedOver: 4 })
    expect(await sends('config', 'config')).toMatchObject({ sent: 3, passedOver: 1, ended: { complete: 3 } })
    expect(await sends('config-again', 'config')).toMatchObject({ sent: 0, passedOver: 4 })
    await close()
    await configure({ chunks: { maxTokens: 300 }, models: { recognizer: 'pp-ocrv5-mobile-rec' } })
    await work()
    expect(await sends('model', 'model')).toMatchObject({ sent: 3, passedOver: 1, ended: { complete: 3 } })
    expect(await sends('model-again', 'model')).toMatchObject({ sent: 0, passedOver: 4 })
  })

  it('keeps to its target, stands still while it is paused, and ends when it is cancelled, all from other processes', async () => {
    const { archive, cli, pagestream, sent, record, work } = await cluster(60, { targetDocuments: 8 })
    const running = cli('run', archive, '--run', 'held')
    await eventually(async () => expect((await record('held').checkpoint()).sent).toBe(8), 30_000)
    const [waiting] = await sent()
    expect((await pagestream('status', '--document', waiting?.key ?? '').done).out).toContain('submitted (bulk)')
    expect((await pagestream('status', '--document', 'nowhere').done).code).toBe(1)
    await cli('pause', 'held').done
    await eventually(async () => expect((await record('held').checkpoint()).state).toBe('paused'), 10_000)
    await work()
    await eventually(async () => expect((await record('held').checkpoint()).ended.complete).toBe(8), 60_000)
    expect(await sent()).toHaveLength(8)
    expect((await cli('status', 'held').done).out).toContain('paused')
    await cli('resume', 'held').done
    await eventually(async () => expect((await record('held').checkpoint()).sent).toBeGreaterThan(8), 10_000)
    await cli('cancel', 'held').done
    expect((await running.done).out).toContain('cancelled')
    expect((await cli('resume', 'held').done).code).toBe(2)
    expect((await cli('status', 'nowhere').done).errors).toContain('backfill-unknown')
  })
})
