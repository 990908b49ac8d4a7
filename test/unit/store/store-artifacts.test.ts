import { describe, expect, it } from 'vitest'
import { MemoryBlobStore } from '../../../src/store/memory-blob-store.ts'
import { StoreArtifacts } from '../../../src/store/store-artifacts.ts'
import { printedWords, textLayer } from '../../support/text-layers.ts'

describe('artifacts that many processes share', () => {
  it('hand a text layer to another process as it was', async () => {
    const store = new MemoryBlobStore()
    const layer = textLayer({
      words: printedWords('Words of a page, with a hyphen at the line-', { hidden: 'covered', runs: [{ start: 1, style: 0, raised: 'super' }] }),
    })
    const ref = await new StoreArtifacts(store).put('pages/d/r/0/text-layer', layer, 'passing')
    const read = await new StoreArtifacts(store).get<typeof layer>(ref)
    expect({ ...read, words: read.words.map((word) => ({ ...word, edges: Array.from(word.edges) })) }).toEqual(layer)
  })

  it('find a passing value only where passing ones are asked for, and none once it is forgotten', async () => {
    const artifacts = new StoreArtifacts(new MemoryBlobStore())
    const ref = await artifacts.put('results/d-r/0', { n: 1 }, 'passing')
    expect(await artifacts.find('results/d-r/0', 'lasting')).toBeUndefined()
    expect(await artifacts.find('results/d-r/0', 'either')).toEqual(ref)
    await artifacts.forget('results/d-r', 'passing')
    expect(await artifacts.find('results/d-r/0', 'either')).toBeUndefined()
    await expect(artifacts.get(ref)).rejects.toMatchObject({ code: 'artifact-missing' })
  })

  it('keep the first of two lasting values and the last of two that are replaced', async () => {
    const artifacts = new StoreArtifacts(new MemoryBlobStore())
    for (const n of [1, 2]) {
      await artifacts.put('done/d/r', { n }, 'lasting')
      await artifacts.put('chunks/d', { n }, 'latest')
    }
    expect(await artifacts.get({ key: 'done/d/r.json' })).toEqual({ n: 1 })
    expect(await artifacts.get({ key: 'chunks/d.json' })).toEqual({ n: 2 })
  })
})
