import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { identify } from '../../../src/inputs/identify.ts'
import { tempFolder } from '../../support/temp-folder.ts'

describe('identify', () => {
  it('says what a file is by its bytes', async () => {
    const path = join(await tempFolder(), 'named.txt')
    await writeFile(path, '%PDF-1.4\n')
    const sha256 = createHash('sha256').update('%PDF-1.4\n').digest('hex')
    expect(await identify(path, 'named.txt', 9)).toEqual({ name: 'named.txt', path, bytes: 9, sha256, mediaType: 'application/pdf' })
  })

  it('refuses a file over the limit', async () => {
    const path = join(await tempFolder(), 'a.pdf')
    await writeFile(path, '%PDF-1.4\n')
    await expect(identify(path, 'a.pdf', 8)).rejects.toMatchObject({ code: 'document-too-large' })
  })

  it('says that a file is not there', async () => {
    await expect(identify(join(await tempFolder(), 'a.pdf'), 'a.pdf', 8)).rejects.toMatchObject({ code: 'document-not-found' })
  })

  it.skipIf(process.platform === 'win32')('refuses a pipe instead of waiting for it', async () => {
    const path = join(await tempFolder(), 'a.pdf')
    execFileSync('mkfifo', [path])
    await expect(identify(path, 'a.pdf', 8)).rejects.toMatchObject({ code: 'document-not-supported' })
  })
})
