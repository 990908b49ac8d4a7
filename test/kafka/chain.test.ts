import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { kafkaClient } from '../../src/consumers/kafka/kafka-client.ts'
import { kafkaTopic } from '../../src/consumers/kafka/topic-names.ts'
import { parse } from '../../src/parse/parse.ts'
import type { DeadLetter } from '../../src/schema/events.ts'
import { outputPrefix } from '../../src/worker/output-prefix.ts'
import { eventually } from '../support/bus-contract.ts'
import { testChain, textDocument } from '../support/kafka/test-chain.ts'
import { describeKafka } from '../support/kafka/test-kafka.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** A worker with all stages, a listener of all that leaves the chain, and a way in. */
async function cluster() {
  const chain = await testChain()
  await chain.work()
  return chain
}

describeKafka('the chain over a real broker', () => {
  it('writes the same bytes as in one process', async () => {
    const { folder, config, submitter, of, store } = await cluster()
    const path = join(folder, 'report.pdf')
    await writeFile(path, textDocument(5))
    const submitted = await submitter.identify(path, 'report.pdf')
    await submitter.send(submitted)
    await eventually(() => expect(of('documents.assembled')).toHaveLength(1), 60_000)
    expect(of('documents.assembled')[0]?.payload).toMatchObject({ status: 'complete', pages: 5 })
    const out = await tempFolder()
    const { kafka: _, store: __, ...alone } = config
    for await (const event of parse(path, { out, config: alone })) {
      if (event.type !== 'document') continue
      for (const name of event.outputs) {
        const shared = Buffer.from(await store.get(`${outputPrefix(submitted.documentId, submitted.revision)}/${name}`)).toString()
        expect(shared).toBe(await readFile(join(event.folder, name), 'utf8'))
      }
    }
    await eventually(() => expect(of('blocks').length).toBeGreaterThanOrEqual(5))
  })

  it('answers a document that is submitted again from the store, and sends its chunks once', async () => {
    const { folder, submitter, of, store } = await cluster()
    const path = join(folder, 'twice.pdf')
    await writeFile(path, textDocument(3))
    const submitted = await submitter.identify(path, 'twice.pdf')
    await submitter.send(submitted)
    await eventually(() => expect(of('documents.assembled')).toHaveLength(1), 60_000)
    const written = await store.get(`${outputPrefix(submitted.documentId, submitted.revision)}/chunks.jsonl`)
    const chunks = Buffer.from(written).toString().trim().split('\n').length
    await eventually(() => expect(new Set(of('chunks').map(({ key }) => key)).size).toBe(chunks))
    const sent = of('chunks').length // some twice, where the group changed on the way
    await submitter.send(submitted)
    await eventually(() => expect(of('documents.assembled')).toHaveLength(2), 60_000)
    const [first, second] = of('documents.assembled')
    expect(second?.payload).toEqual(first?.payload)
    expect(of('chunks')).toHaveLength(sent)
  })

  it('takes back the chunks that a changed document no longer has', async () => {
    const { folder, submitter, of } = await cluster()
    const path = join(folder, 'changing.pdf')
    const submit = async (bytes: Uint8Array) => {
      await writeFile(path, bytes)
      const submitted = await submitter.identify(path, 'changing.pdf')
      await submitter.send({ ...submitted, documentId: 'the-caller-names-it' })
    }
    await submit(textDocument(2, 'Old'))
    await eventually(() => expect(of('documents.assembled')).toHaveLength(1), 60_000)
    await submit(textDocument(2, 'New'))
    await eventually(() => expect(of('documents.assembled')).toHaveLength(2), 60_000)
    const state = new Map<string, unknown>()
    await eventually(() => {
      for (const { key, payload } of of('chunks')) state.set(key, payload)
      const left = [...state.values()].filter((payload) => payload !== null) as { text: string }[]
      expect(left.map((chunk) => chunk.text).join(' ')).toContain('New 1')
      expect(left.map((chunk) => chunk.text).join(' ')).not.toContain('Old 1')
    })
  })

  it('puts what is no event of the topic among the dead letters, whole, and goes on behind it', async () => {
    const { folder, config, submitter, of } = await cluster()
    const producer = kafkaClient(config.kafka).producer()
    await producer.connect()
    const topic = kafkaTopic(config.kafka.topicPrefix, 'documents', 'live')
    const messages = [
      { key: 'a', value: 'not json', headers: { own: 'header' } },
      { key: 'b', value: '{"documentId":7}' },
      { key: 'c', value: null },
      { key: 'd', value: '{}', headers: { ce_type: 'pagestream.documents.v9' } },
    ]
    await producer.send({ topic, messages: messages.map((message) => ({ ...message, partition: 0 })) })
    await producer.disconnect()
    const path = join(folder, 'good.pdf')
    await writeFile(path, textDocument(1))
    await submitter.send(await submitter.identify(path, 'good.pdf'))
    await eventually(() => expect(of('documents.assembled')).toHaveLength(1), 60_000)
    await eventually(() => expect(of('dead-letter')).toHaveLength(4))
    const letters = of('dead-letter').map(({ payload }) => payload as DeadLetter)
    expect(letters.map(({ failure }) => failure.code).sort()).toEqual(['message-invalid', 'message-invalid', 'message-not-json', 'message-version'])
    const whole = letters.find(({ failure }) => failure.code === 'message-not-json')?.original
    expect(Buffer.from(whole?.value ?? '', 'base64').toString()).toBe('not json')
    expect(whole).toMatchObject({ topic, partition: 0, headers: [['own', Buffer.from('header').toString('base64')]] })
  })

  it('ends a document that lies where nobody may look, with the reason', async () => {
    const { folder, submitter, of } = await cluster()
    const path = join(folder, 'secret.pdf')
    await writeFile(path, textDocument(1))
    const submitted = await submitter.identify(path, 'secret.pdf')
    await submitter.send({ ...submitted, source: { ...submitted.source, path } })
    await eventually(() => expect(of('documents.assembled')).toHaveLength(1), 60_000)
    expect(of('documents.assembled')[0]?.payload).toMatchObject({ status: 'failed', failure: { class: 'input', code: 'input-forbidden' } })
  })
})
