import { existsSync } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../src/store/make-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

describe('making a folder', () => {
  it('makes those above it and takes one that is there', async () => {
    const path = join(await tempFolder(), 'a', 'b', 'c')
    makeFolder(path)
    makeFolder(path)
    expect((await stat(path)).isDirectory()).toBe(true)
  })

  it('says which place takes none', async () => {
    const folder = await tempFolder()
    await writeFile(join(folder, 'file'), '')
    expect(() => makeFolder(join(folder, 'file'))).toThrow(expect.objectContaining({ code: 'store-failed', message: expect.stringContaining('EEXIST') }))
    expect(() => makeFolder(join(folder, 'file', 'x', 'y'))).toThrow(
      expect.objectContaining({ code: 'store-failed', message: expect.stringContaining('ENOTDIR') }),
    )
    await mkdir(join(folder, 'n'.repeat(200)))
    expect(() => makeFolder(join(folder, 'n'.repeat(300)))).toThrow(expect.objectContaining({ code: 'store-failed' }))
  })

  it.skipIf(!existsSync('/proc/self'))('ends at once in a file system that takes no folders', async () => {
    expect(() => makeFolder('/proc/no-such-place/x')).toThrow(
      expect.objectContaining({ code: 'store-failed', message: expect.stringContaining('/proc/no-such-place:') }),
    )
  })
})
