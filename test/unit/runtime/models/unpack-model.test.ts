import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { fetchModel } from '../../../../src/runtime/models/fetch-model.ts'
import { parseManifest } from '../../../../src/runtime/models/manifest.ts'
import { modelStates } from '../../../../src/runtime/models/verify-model.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const archive = zipSync({ 'wheel/bin/liba.so': strToU8('library a'), 'wheel/bin/other': strToU8('not wanted'), 'wheel/LICENCE.txt': strToU8('free') })

const manifestOf = (unpack: readonly string[]) => {
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const source = { url: 'https://example.org/wheel.whl' }
  const entry = { id: 'library-1', contract: 'llama-cpp-library', title: 't', licence: 'MIT', file: 'wheel.whl', bytes: archive.length, sha256, source, unpack }
  return parseManifest(JSON.stringify({ models: [entry] }))
}
const manifest = manifestOf(['wheel/bin/liba.so', 'wheel/LICENCE.txt'])
const serve = async (): Promise<Response> => new Response(archive.slice())

describe('a model that comes in an archive', () => {
  it('is fetched and unpacked into a folder of its name, with what is wanted of it alone', async () => {
    const directory = await tempFolder()
    const folder = await fetchModel('library-1', { directory, fetch: serve }, manifest)
    expect(folder).toBe(join(directory, 'library-1'))
    expect((await readdir(folder)).sort()).toEqual(['LICENCE.txt', 'liba.so'])
    expect(await readFile(join(folder, 'liba.so'), 'utf8')).toBe('library a')
    expect((await readdir(directory)).sort()).toEqual(['library-1', 'wheel.whl'])
  })

  it('is missing while it is not unpacked, and is unpacked again without being fetched again', async () => {
    const directory = await tempFolder()
    await fetchModel('library-1', { directory, fetch: serve }, manifest)
    await rm(join(directory, 'library-1', 'liba.so'))
    const stateOf = async () => (await modelStates(directory, { checksums: true }, manifest))[0]
    expect(await stateOf()).toMatchObject({ state: 'missing', fix: expect.stringContaining('pagestream models fetch library-1') })
    await fetchModel('library-1', { directory, fetch: () => Promise.reject(new Error('no network')) }, manifest)
    expect(await stateOf()).toMatchObject({ state: 'ok', path: join(directory, 'library-1') })
  })

  it('leaves nothing behind where the archive has not what is wanted', async () => {
    const directory = await tempFolder()
    const fetched = fetchModel('library-1', { directory, fetch: serve }, manifestOf(['wheel/bin/liba.so', 'wheel/bin/libb.so']))
    await expect(fetched).rejects.toMatchObject({ code: 'model-missing', message: expect.stringContaining('wheel/bin/libb.so') })
    expect(await readdir(directory)).toEqual(['wheel.whl'])
  })

  it.each(['../a', '/etc/passwd', 'a/../b', 'a//b', ''])('takes no path like "%s" out of an archive', (path) => {
    expect(() => manifestOf([path])).toThrow()
  })
})
