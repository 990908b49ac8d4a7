import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/load-config.ts'
import { identify } from '../../../src/inputs/identify.ts'
import { Pipeline } from '../../../src/parse/pipeline.ts'
import { checkPayload } from '../../../src/schema/check-payload.ts'
import type { TopicName } from '../../../src/schema/topics.ts'
import { FolderSink } from '../../../src/store/folder-sink.ts'
import { LocalArtifacts } from '../../../src/store/local-artifacts.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { show, tinyPdf } from '../../support/tiny-pdf.ts'

const topics: readonly TopicName[] = ['documents', 'pages.rendered', 'pages.gated', 'pages.layout', 'pages.recognized', 'blocks', 'documents.assembled']

it('publishes nothing that breaks the schema of its topic', async () => {
  const folder = await tempFolder()
  const path = join(folder, 'a.pdf')
  await writeFile(path, tinyPdf([{ content: show('Two pages of a small book.', 72, 400) }, { content: show('This is the other one.', 72, 400) }]))
  const source = await identify(path, 'a.pdf', 2 ** 20)
  const pipeline = new Pipeline({
    config: loadConfig({ env: {}, overrides: { ocr: 'never' } }),
    artifacts: new LocalArtifacts(join(folder, 'state')),
    password: undefined,
    sinkOf: () => new FolderSink(join(folder, 'out')),
    onFatal: (error) => {
      throw error
    },
  })
  const seen = new Map<TopicName, number>()
  try {
    const assembled = new Promise<void>((resolve, reject) => {
      const look = (topic: TopicName, payload: unknown) => {
        checkPayload(topic, payload)
        seen.set(topic, (seen.get(topic) ?? 0) + 1)
        if (topic === 'documents.assembled') resolve()
      }
      const records = (batch: { records: readonly { topic: TopicName; payload: unknown }[] }) => {
        try {
          for (const { topic, payload } of batch.records) look(topic, payload)
        } catch (error) {
          reject(error)
        }
      }
      void pipeline.bus.subscribe({ group: 'onlooker', topics }, { records, assigned: () => {}, revoked: () => {}, fatal: reject })
    })
    await pipeline.start()
    const documentId = source.sha256
    await pipeline.bus.publish([{ topic: 'documents', key: documentId, payload: { documentId, revision: 'r', source, ocr: 'never' } }])
    await assembled
  } finally {
    await pipeline[Symbol.asyncDispose]()
  }
  expect(Object.fromEntries(seen)).toMatchObject({ documents: 1, 'pages.rendered': 2, 'pages.recognized': 2, 'documents.assembled': 1 })
  expect([...seen.keys()].sort()).toEqual([...topics].sort())
})
