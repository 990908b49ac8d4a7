import { existsSync } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../src/store/make-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

describe('making a folder', () => {
  it('makes those above it and takes one that is there', async () => {
    const path = join(await tempFolder(), 'a', 'b', 'c')
    await Promise.all([makeFolder(path), makeFolder(path)])
    await makeFolder(path)
    expect((await stat(path)).isDirectory()).toBe(true)
  })

  it('says which place takes none', async () => {
    const folder = await tempFolder()
    await writeFile(join(folder, 'file'), '')
    await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'store-failed', message: expect.stringContaining('EEXIST') })
    await expect(makeFolder(join(folder, 'file', 'x', 'y'))).rejects.toMatchObject({ code: 'store-failed', message: expect.stringContaining('ENOTDIR') })
    await mkdir(join(folder, 'n'.repeat(200)))
    await expect(makeFolder(join(folder, 'n'.repeat(300)))).rejects.toMatchObject({ code: 'store-failed' })
  })

  it.skipIf(!existsSync('/proc/self'))('ends at once in a file system that takes no folders', async () => {
    await expect(makeFolder('/proc/no-such-place/x')).rejects.toMatchObject({ code: 'store-failed', message: expect.stringContaining('/proc/no-such-place:') })
  })
})
