import { describe, expect, it } from 'vitest'
import { LocalArtifacts } from '../../../src/store/local-artifacts.ts'
import { MemoryBlobStore } from '../../../src/store/memory-blob-store.ts'

describe('artifacts of one process', () => {
  it('hands passing values over as they are and keeps none of them after a restart', async () => {
    const store = new MemoryBlobStore()
    const artifacts = new LocalArtifacts(store)
    const value = { edges: new Float32Array(3) }
    const ref = await artifacts.put('pages/d/r/0/text-layer', value, 'passing')
    expect(await artifacts.get(ref)).toBe(value)
    await expect(new LocalArtifacts(store).get(ref)).rejects.toMatchObject({ code: 'artifact-missing' })
  })

  it('keeps lasting values over a restart, and the first one written stays', async () => {
    const store = new MemoryBlobStore()
    const ref = await new LocalArtifacts(store).put('results/d/r/0', { n: 1 }, 'lasting')
    const restarted = new LocalArtifacts(store)
    await restarted.put('results/d/r/0', { n: 2 }, 'lasting')
    expect(await restarted.has('results/d/r/0')).toBe(true)
    expect(await restarted.get(ref)).toEqual({ n: 1 })
  })

  it('reads back values beyond those it keeps in memory', async () => {
    const artifacts = new LocalArtifacts(new MemoryBlobStore())
    for (let i = 0; i < 300; i++) await artifacts.put(`results/d/r/${i}`, { i }, 'lasting')
    expect(await artifacts.get({ key: 'results/d/r/0' })).toEqual({ i: 0 })
    expect(await artifacts.get({ key: 'results/d/r/299' })).toEqual({ i: 299 })
  })

  it('forgets a page without its neighbour whose number begins alike', async () => {
    const artifacts = new LocalArtifacts(new MemoryBlobStore())
    const [one, ten] = [await artifacts.put('pages/d/r/1/x', 1, 'passing'), await artifacts.put('pages/d/r/10/x', 10, 'passing')]
    await artifacts.forget('pages/d/r/1', 'passing')
    await expect(artifacts.get(one)).rejects.toMatchObject({ code: 'artifact-missing' })
    expect(await artifacts.get(ten)).toBe(10)
  })

  it('says artifact-missing for a damaged value', async () => {
    const store = new MemoryBlobStore()
    await store.put('results/d/r/0.json', Buffer.from('{"half'))
    await expect(new LocalArtifacts(store).get({ key: 'results/d/r/0' })).rejects.toMatchObject({ code: 'artifact-missing' })
  })
})
