import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LocalArtifacts } from '../../../src/store/local-artifacts.ts'
import { tempFolder } from '../../support/temp-folder.ts'

describe('artifacts of one process', () => {
  it('hands passing values over as they are and keeps none of them after a restart', async () => {
    const folder = await tempFolder()
    const artifacts = new LocalArtifacts(folder)
    const value = { edges: new Float32Array(3) }
    const ref = await artifacts.put('pages/d/r/0/text-layer', value, 'passing')
    expect(await artifacts.get(ref)).toBe(value)
    await expect(new LocalArtifacts(folder).get(ref)).rejects.toMatchObject({ code: 'artifact-missing' })
    expect(await readdir(folder)).toEqual([])
  })

  it('keeps lasting values over a restart, and the first one written stays', async () => {
    const folder = await tempFolder()
    const first = new LocalArtifacts(folder)
    const ref = await first.put('results/d/0', { n: 1 }, 'lasting')
    await first.put('results/d/0', { n: 2 }, 'lasting')
    expect(await first.get(ref)).toEqual({ n: 1 })
    await first[Symbol.asyncDispose]()
    await using restarted = new LocalArtifacts(folder)
    await restarted.put('results/d/0', { n: 3 }, 'lasting')
    expect(await restarted.find('results/d/0', 'lasting')).toBeDefined()
    expect(await restarted.find('results/d/1', 'lasting')).toBeUndefined()
    expect(await restarted.get(ref)).toEqual({ n: 1 })
  })

  it('reads back values beyond those it keeps in memory, and those it has released', async () => {
    await using artifacts = new LocalArtifacts(await tempFolder())
    for (let i = 0; i < 300; i++) await artifacts.put(`results/d/${i}`, { i }, 'lasting')
    expect(await artifacts.get({ key: 'results/d/0' })).toEqual({ i: 0 })
    expect(await artifacts.get({ key: 'results/d/299' })).toEqual({ i: 299 })
    await artifacts.release('results/d')
    expect(await artifacts.get({ key: 'results/d/299' })).toEqual({ i: 299 })
  })

  it('keeps the lasting values of a document in one file, and deletes it with them', async () => {
    const folder = await tempFolder()
    await using artifacts = new LocalArtifacts(folder)
    for (let i = 0; i < 20; i++) for (const name of ['one', 'two']) await artifacts.put(`results/${name}/${i}`, { i }, 'lasting')
    expect(await readdir(join(folder, 'results'))).toEqual(['one.journal', 'two.journal'])
    await artifacts.forget('results/one', 'lasting')
    expect(await readdir(join(folder, 'results'))).toEqual(['two.journal'])
    expect(await artifacts.find('results/one/3', 'lasting')).toBeUndefined()
    expect(await artifacts.find('results/two/3', 'lasting')).toBeDefined()
  })

  it('forgets one lasting value, which may then be written again', async () => {
    const folder = await tempFolder()
    const artifacts = new LocalArtifacts(folder)
    for (const i of [1, 10]) await artifacts.put(`results/d/${i}`, 'old', 'lasting')
    await artifacts.forget('results/d/1', 'lasting')
    expect([await artifacts.find('results/d/1', 'lasting'), await artifacts.find('results/d/10', 'lasting')]).toEqual([undefined, { key: 'results/d/10' }])
    await artifacts.put('results/d/1', 'new', 'lasting')
    await artifacts[Symbol.asyncDispose]()
    await using restarted = new LocalArtifacts(folder)
    expect(await restarted.get({ key: 'results/d/1' })).toBe('new')
  })

  it('forgets a page without its neighbour whose number begins alike', async () => {
    const artifacts = new LocalArtifacts(await tempFolder())
    const [one, ten] = [await artifacts.put('pages/d/r/1/x', 1, 'passing'), await artifacts.put('pages/d/r/10/x', 10, 'passing')]
    await artifacts.forget('pages/d/r/1', 'passing')
    await expect(artifacts.get(one)).rejects.toMatchObject({ code: 'artifact-missing' })
    expect(await artifacts.get(ten)).toBe(10)
  })

  it('says artifact-missing for a damaged value', async () => {
    const folder = await tempFolder()
    const artifacts = new LocalArtifacts(folder)
    await artifacts.put('results/d/0', { n: 'value' }, 'lasting')
    await artifacts[Symbol.asyncDispose]()
    const path = join(folder, 'results', 'd.journal')
    await writeFile(path, (await readFile(path, 'utf8')).replace('{"n"', '{n"n'))
    await using restarted = new LocalArtifacts(folder)
    await expect(restarted.get({ key: 'results/d/0' })).rejects.toMatchObject({ code: 'artifact-missing' })
  })

  it('refuses keys that leave its folder', async () => {
    await using artifacts = new LocalArtifacts(await tempFolder())
    await expect(artifacts.put('../out/1', 1, 'lasting')).rejects.toMatchObject({ code: 'internal' })
  })
})
