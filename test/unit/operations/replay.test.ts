import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/load-config.ts'
import { kafkaTopic } from '../../../src/consumers/kafka/topic-names.ts'
import type { FoundLetter } from '../../../src/operations/dead-letters.ts'
import { replay } from '../../../src/operations/replay.ts'
import { PagestreamError } from '../../../src/schema/failure.ts'
import { MemoryBlobStore } from '../../../src/store/memory-blob-store.ts'
import { StoreArtifacts } from '../../../src/store/store-artifacts.ts'

const letter = (offset: number): FoundLetter => ({
  id: `letter-${offset}`,
  atMs: 0,
  letter: {
    stage: 'page-render',
    topic: 'documents',
    documentId: '',
    revision: '',
    failure: { class: 'input', code: 'message-invalid', message: 'reading a record' },
    record: { partition: 0, offset: `${offset}` },
    original: { topic: kafkaTopic('pagestream', 'documents', 'live'), partition: 0, offset: `${offset}`, timestamp: '0', key: null, value: null, headers: [] },
  } as unknown as FoundLetter['letter'],
})

async function* letters(count: number): AsyncIterable<FoundLetter> {
  for (let i = 0; i < count; i++) yield letter(i)
}

describe('replay', () => {
  it('goes on after a record that the broker does not take, and may replay that one again', async () => {
    const { kafka } = loadConfig({ env: {} })
    const artifacts = new StoreArtifacts(new MemoryBlobStore())
    const sent: string[] = []
    let most = false
    const send = async ({ offset }: { offset: string }) => {
      if (offset === '1' && !most) throw new PagestreamError('message-too-large', 'publishing: too large')
      sent.push(offset)
    }
    const run = () => replay(letters(3), { again: false, dryRun: false }, { kafka, artifacts, send })
    expect((await run()).outcomes.map(({ became }) => became)).toEqual(['sent', 'refused', 'sent'])
    most = true
    expect((await run()).outcomes.map(({ became }) => became)).toEqual(['already', 'sent', 'already'])
    expect(sent).toEqual(['0', '2', '1'])
  })

  it('ends when no broker answers', async () => {
    const { kafka } = loadConfig({ env: {} })
    const send = () => Promise.reject(new PagestreamError('kafka-unreachable', 'publishing: no answer'))
    const parts = { kafka, artifacts: new StoreArtifacts(new MemoryBlobStore()), send }
    await expect(replay(letters(2), { again: false, dryRun: false }, parts)).rejects.toMatchObject({ code: 'kafka-unreachable' })
  })
})
