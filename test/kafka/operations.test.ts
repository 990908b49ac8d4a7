import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { configSchema } from '../../src/config/config.ts'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { readTopic } from '../../src/consumers/kafka/topic-reader.ts'
import { type Submitted, Submitter } from '../../src/inputs/submitter.ts'
import type { DeadLetter, DocumentAssembled } from '../../src/schema/events.ts'
import { type StageName, stageNames } from '../../src/schema/stage.ts'
import type { TopicName } from '../../src/schema/topics.ts'
import { openStore } from '../../src/store/open-store.ts'
import { Worker } from '../../src/worker/worker.ts'
import { commandLine, configFile } from '../support/kafka/command-line.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { lockedPdf } from '../support/locked-pdf.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { show, tinyPdf } from '../support/tiny-pdf.ts'

const text = (word: string) => Array.from({ length: 12 }, (_, i) => show(`${word} ${i + 1} goes on and on to the end of its line`, 72, 720 - 16 * i)).join('')

/** As the commands print it. */
const short = ({ documentId }: Submitted) => documentId.slice(0, 12)

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
})

/** Topics and a store, the command line with its configuration, and workers that can be stopped and started with another one. */
async function cluster() {
  const folder = await tempFolder()
  const { config, file } = await configFile(folder, { kafka: testKafkaConfig(), ocr: 'never' })
  const store = await openStore(config.store)
  const bus = await KafkaBus.connect(config.kafka, 'live')
  open.push({ [Symbol.asyncDispose]: () => bus.close() })
  const submitter = new Submitter(config, store, bus)

  const work = async (limits: Record<string, unknown> = {}, stages: readonly StageName[] = stageNames, more: Record<string, unknown> = {}) => {
    const fatal = (error: Error) => {
      throw error
    }
    const worker = new Worker({ config: configSchema.parse({ ...config, limits, ...more }), stages: new Set(stages), lanes: ['live'], onFatal: fatal })
    open.push(worker)
    await worker.start()
    return async () => {
      open.splice(open.indexOf(worker), 1)
      await worker[Symbol.asyncDispose]()
    }
  }
  const submit = async (name: string, bytes: Uint8Array) => {
    await writeFile(join(folder, name), bytes)
    const submitted = await submitter.identify(join(folder, name), name)
    await submitter.send(submitted)
    return submitted
  }
  const all = async <T>(topic: TopicName): Promise<T[]> => {
    const payloads: T[] = []
    for await (const { payload } of readTopic(config.kafka, { topic, from: 'earliest', until: 'end' })) payloads.push(payload as T)
    return payloads
  }
  const ended = async (submitted: Submitted, status: DocumentAssembled['status']) => {
    const end = Date.now() + 60_000
    for (;;) {
      const found = (await all<DocumentAssembled>('documents.assembled')).filter(({ documentId }) => documentId === submitted.documentId)
      if (found.some((each) => each.status === status)) return
      if (Date.now() > end) throw new Error(`no end as ${status}: ${JSON.stringify(found)}`)
    }
  }
  const pagestream = commandLine(file)
  const cli = async (...args: string[]) => {
    const { code, out, errors } = await pagestream(...args).done
    return { code, lines: out.split('\n').filter((line) => line !== ''), errors }
  }
  return { folder, config, store, work, submit, all, ended, cli }
}

describeKafka('the commands of operation, over a real broker', () => {
  it('completes a document with poison pages that are replayed one after the other, after the limit that they broke was raised', async () => {
    const { work, submit, all, ended, cli } = await cluster()
    const stop = await work({ maxPagePoints: 900 })
    const sizes = [undefined, [2000, 2000], undefined, [3000, 3000]] as const
    const pages = sizes.map((size, i) => ({
      content: text(`Page ${i + 1}, line`),
      ...(size && { mediaBox: [0, 0, ...size] as [number, number, number, number] }),
    }))
    const submitted = await submit('poison.pdf', tinyPdf(pages))
    await ended(submitted, 'partial')
    expect(await all<DeadLetter>('dead-letter')).toHaveLength(2)
    const topics = (await cli('topics', 'describe')).lines.map((line) => line.split(' ')[0])
    expect(topics).toEqual([...topics].sort())
    expect(topics).toHaveLength(14)
    const listed = await cli('dlq', 'list', '--class', 'input', '--stage', 'page-render', '--document', short(submitted), '--json')
    const [first, second] = listed.lines.map((line) => JSON.parse(line) as { id: string; failure: { code: string } })
    expect(listed.lines).toHaveLength(2)
    expect(first?.failure.code).toBe('page-too-large')
    expect((await cli('dlq', 'show', '--document', short(submitted), '--json')).lines).toHaveLength(2)
    expect(await cli('dlq', 'list', '--document', 'no-such-document')).toMatchObject({ code: 1, errors: expect.stringContaining('no such document') })
    expect((await cli('dlq', 'list', '--class', 'bug')).lines).toEqual([])
    await stop()

    await work({})
    const dry = await cli('dlq', 'replay', '--all', '--dry-run')
    expect(dry.lines.every((line) => line.endsWith('would be sent'))).toBe(true)
    expect((await cli('dlq', 'replay')).code).toBe(2)
    expect((await cli('dlq', 'replay', first?.id ?? '')).lines[0]).toMatch(/ {2}sent$/)
    await waitFor(async () => (await all('documents.assembled')).length === 2)
    expect((await cli('dlq', 'replay', first?.id ?? '')).lines[0]).toContain('already replayed')
    expect((await cli('dlq', 'replay', second?.id ?? '')).lines[0]).toMatch(/ {2}sent$/)
    await ended(submitted, 'complete')
    expect((await cli('dlq', 'replay', second?.id ?? '', '--again')).lines[0]).toContain('has been read since')
    const ends = await all<DocumentAssembled>('documents.assembled')
    expect(ends.map(({ status, failedPages }) => `${status} ${failedPages}`)).toEqual(['partial 2', 'partial 1', 'complete 0'])
  })

  it('replays a page from the topic of the stage that failed, with what earlier stages have left for it', async () => {
    const { store, work, submit, all, ended, cli } = await cluster()
    const stop = await work({}, ['page-render', 'text-finder', 'assemble'])
    const submitted = await submit('stage.pdf', tinyPdf([{ content: text('One, line') }, { content: text('Two, line') }]))
    const verdict = `tmp/pages/${submitted.documentId}/${submitted.revision}/1/verdict.json`
    await waitFor(() => store.has(verdict))
    await waitFor(() => store.has(verdict.replace('/1/', '/0/')))
    const bytes = await store.get(verdict)
    await store.delete(verdict)
    const underWay = await cli('status', '--document', short(submitted), '--json')
    expect(JSON.parse(underWay.lines[0] ?? '')).toMatchObject({ state: 'opened', counts: { pages: 2, rendered: 1, gated: 1 } })
    await stop()
    await work()
    await ended(submitted, 'partial')
    const [letter] = await all<DeadLetter>('dead-letter')
    expect(letter).toMatchObject({ stage: 'layout', topic: 'pages.gated', pageIndex: 1, failure: { class: 'expired-claim' } })
    expect((await cli('dlq', 'replay', '--stage', 'layout')).lines[0]).toContain('no longer in the store')
    await store.put(verdict, bytes)
    expect((await cli('dlq', 'replay', '--stage', 'layout')).lines[0]).toMatch(/ {2}sent$/)
    await ended(submitted, 'complete')
    const done = await cli('status', '--document', submitted.documentId, '--json')
    expect(JSON.parse(done.lines[0] ?? '')).toMatchObject({ state: 'complete', counts: { pages: 2, recognized: 2 } })
    await waitFor(async () => (await cli('status', '--json')).lines.filter((line) => line.includes('"lag":0')).length === 10)
    const tailed = await cli('tail', 'documents', '--from', 'earliest', '--until-idle', '1500', '--document', short(submitted))
    expect(tailed.code).toBe(0)
    expect(tailed.lines.map((line) => line.split(/ +/)[1])).toEqual(['partial', 'complete'])
    expect((await cli('tail', 'blocks', '--from', '1h', '--until-idle', '1500')).lines.length).toBeGreaterThanOrEqual(2)
  })

  it('completes a document that asks for a password, once the password was added', async () => {
    const { folder, config, work, submit, all, ended, cli } = await cluster()
    const file = join(folder, 'passwords')
    await writeFile(file, 'wrong\n')
    await work({}, stageNames, { inputs: { passwordsFile: file } })
    const submitted = await submit('locked.pdf', await lockedPdf('open sesame', 'A line that only those may read who know the word'))
    await ended(submitted, 'failed')
    expect((await all<DeadLetter>('dead-letter')).map(({ failure }) => failure.code)).toEqual(['password-required'])
    await appendFile(file, 'open sesame\n')
    expect((await cli('dlq', 'replay', '--document', submitted.documentId)).lines[0]).toMatch(/ {2}sent$/)
    await ended(submitted, 'complete')
    for (const topic of ['documents', 'pages.rendered', 'blocks', 'dead-letter', 'documents.assembled'] as const) {
      for await (const { payload } of readTopic(config.kafka, { topic, from: 'earliest', until: 'end' }))
        expect(JSON.stringify(payload)).not.toContain('sesame')
    }
  })

  it('completes a document whose file was missing from the store and then put there', async () => {
    const { config, store, work, submit, all, ended, cli } = await cluster()
    const bytes = tinyPdf([{ content: text('Here, line') }])
    const submitted = await submit('missing.pdf', bytes)
    const waiting = await cli('status', '--document', short(submitted), '--json')
    expect(waiting.errors).toBe('')
    expect(JSON.parse(waiting.lines[0] ?? '')).toMatchObject({ state: 'submitted', lane: 'live' })
    await store.delete(`inputs/${submitted.documentId}`)
    await work()
    await ended(submitted, 'failed')
    const [failed = ''] = (await cli('status', '--document', submitted.documentId)).lines
    expect(failed).toContain('failed')
    const [printed = ''] = failed.split(' ')
    expect((await cli('status', '--document', printed)).lines).toEqual([failed])
    await store.put(`inputs/${submitted.documentId}`, bytes)
    expect((await cli('dlq', 'replay', '--document', printed)).lines[0]).toMatch(/ {2}sent$/)
    await ended(submitted, 'complete')
    const [letter] = await all<DeadLetter>('dead-letter')
    const replayed: string[] = []
    for await (const { key, id } of readTopic(config.kafka, { topic: 'documents', from: 'earliest', until: 'end' })) replayed.push(`${key} ${id}`)
    expect(letter?.original?.key).toBe(Buffer.from(submitted.documentId).toString('base64'))
    expect(new Set(replayed).size).toBe(1)
    expect(replayed).toHaveLength(2)
  })
})

async function waitFor(check: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await check())) if (Date.now() > end) throw new Error('it did not come true')
}
