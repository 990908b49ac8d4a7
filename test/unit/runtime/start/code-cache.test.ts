import { chmod, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CodeCache } from '../../../../src/runtime/start/code-cache.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const source = 'exports.answer = 42'
const code = Buffer.from('compiled')

async function filled(): Promise<{ cache: CodeCache; folder: string; file: string }> {
  const folder = join(await tempFolder(), 'code')
  const cache = new CodeCache(folder)
  cache.write(source, code)
  const [name = ''] = await readdir(folder)
  return { cache, folder, file: join(folder, name) }
}

describe.skipIf(process.platform === 'win32')('the cache of compiled code', () => {
  it('gives back what was kept for the same text, and nothing for another', async () => {
    const { cache } = await filled()
    expect(cache.read(source)).toEqual(code)
    expect(cache.read(`${source} `)).toBeUndefined()
  })

  it('takes nothing from a folder or a file that others may write to', async () => {
    const { cache, folder, file } = await filled()
    await chmod(file, 0o620)
    expect(cache.read(source)).toBeUndefined()
    await chmod(file, 0o600)
    await chmod(folder, 0o777)
    expect(cache.read(source)).toBeUndefined()
    await chmod(folder, 0o700)
    expect(cache.read(source)).toEqual(code)
  })

  it('writes nothing into a folder that others may write to', async () => {
    const { cache, folder } = await filled()
    await chmod(folder, 0o777)
    cache.write('other', code)
    expect(await readdir(folder)).toHaveLength(1)
  })

  it('follows no link', async () => {
    const { cache, file } = await filled()
    await rename(file, `${file}-away`)
    await symlink(`${file}-away`, file)
    expect(cache.read(source)).toBeUndefined()
  })

  it('takes no damaged file', async () => {
    const { cache, file } = await filled()
    const bytes = await readFile(file)
    bytes[bytes.length - 1] = 0
    await writeFile(file, bytes)
    expect(cache.read(source)).toBeUndefined()
    await writeFile(file, '')
    expect(cache.read(source)).toBeUndefined()
  })

  it('keeps a bounded number of files', async () => {
    const { cache, folder } = await filled()
    for (let i = 0; i < 80; i++) cache.write(`text ${i}`, code)
    expect((await readdir(folder)).length).toBeLessThanOrEqual(64)
    expect(cache.read('text 79')).toEqual(code)
  })

  it('is silent where no folder can be made', () => {
    const cache = new CodeCache('/dev/null/code')
    cache.write(source, code)
    expect(cache.read(source)).toBeUndefined()
  })
})
