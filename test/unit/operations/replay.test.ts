import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/load-config.ts'
import { openedKey, resultKey, unfinishedKey } from '../../../src/consumers/chain/keys.ts'
import { kafkaTopic } from '../../../src/consumers/kafka/topic-names.ts'
import type { FoundLetter } from '../../../src/operations/dead-letters.ts'
import { readMark, replay } from '../../../src/operations/replay.ts'
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

/** A letter of a page of a document that has ended as partial, and another letter; what the store says of page and document. */
async function partialDocument() {
  const { kafka } = loadConfig({ env: {} })
  const artifacts = new StoreArtifacts(new MemoryBlobStore())
  await artifacts.put(openedKey('d', 'r'), { pages: [0] }, 'passing')
  await artifacts.put(unfinishedKey('d', 'r'), { status: 'partial' }, 'passing')
  await artifacts.put(resultKey('d', 'r', 0), { status: 'failed' }, 'lasting')
  const { letter: plain, ...found } = letter(0)
  const original = { ...plain.original, topic: kafkaTopic('pagestream', 'pages.rendered', 'live') }
  const ofPage = { ...found, letter: { ...plain, documentId: 'd', revision: 'r', pageIndex: 0, original } } as FoundLetter
  const run = (send: (original: { offset: string }) => Promise<void>) =>
    replay(of([ofPage, letter(1)]), { again: false, dryRun: false }, { kafka, artifacts, send })
  const standing = async () => {
    const refs = [await artifacts.find(unfinishedKey('d', 'r'), 'either'), await artifacts.find(resultKey('d', 'r', 0), 'either')]
    return Promise.all(refs.map(async (ref) => ref && (await artifacts.get<{ status: string }>(ref)).status))
  }
  return { artifacts, run, standing }
}

async function* of(letters: FoundLetter[]): AsyncIterable<FoundLetter> {
  yield* letters
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

  it.each([
    ['its record is refused', 'message-refused', ['refused', 'sent']],
    ['our login is refused on the way, which ends the run', 'kafka-refused', undefined],
  ] as const)('leaves a document at its end when %s', async (_, code, became) => {
    const { run, standing, artifacts } = await partialDocument()
    const refused = run(async ({ offset }) => {
      if (offset === '0') throw new PagestreamError(code, 'publishing: no')
    })
    if (became) expect((await refused).outcomes.map((outcome) => outcome.became)).toEqual(became)
    else await expect(refused).rejects.toMatchObject({ code })
    expect(await standing()).toEqual(['partial', 'failed'])
    expect(await readMark('letter-0', artifacts)).toBeUndefined()
    expect((await run(async () => {})).outcomes[0]?.became).toBe('sent')
    expect(await standing()).toEqual([undefined, undefined])
  })

  it('leaves a document at its end when its record is refused in the run after one that did not learn what became of it', async () => {
    const { run, standing } = await partialDocument()
    await expect(run(() => Promise.reject(new PagestreamError('kafka-unreachable', 'publishing: no answer')))).rejects.toMatchObject({ class: 'transient' })
    expect(await standing()).toEqual([undefined, undefined])
    await run(() => Promise.reject(new PagestreamError('message-too-large', 'publishing: too large')))
    expect(await standing()).toEqual(['partial', 'failed'])
  })

  it('ends when no broker answers', async () => {
    const { kafka } = loadConfig({ env: {} })
    const send = () => Promise.reject(new PagestreamError('kafka-unreachable', 'publishing: no answer'))
    const parts = { kafka, artifacts: new StoreArtifacts(new MemoryBlobStore()), send }
    await expect(replay(letters(2), { again: false, dryRun: false }, parts)).rejects.toMatchObject({ code: 'kafka-unreachable' })
  })
})
