import { execFile } from 'node:child_process'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { LockOwner } from '../../../src/schema/lock-owner.ts'
import { FolderLock } from '../../../src/store/folder-lock.ts'
import { processStart } from '../../../src/store/process-identity.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** A folder with a lock like that of this process but for the differences, or with any text as its lock. */
async function lockedBy(differences: Partial<LockOwner> | string, touchedMsAgo = 0): Promise<string> {
  const folder = await tempFolder()
  const lock = await FolderLock.take(folder)
  const path = join(folder, 'lock')
  const owner = JSON.parse(await readFile(path, 'utf8'))
  await lock[Symbol.asyncDispose]()
  await writeFile(path, typeof differences === 'string' ? differences : JSON.stringify({ ...owner, ...differences }))
  const touched = new Date(Date.now() - touchedMsAgo)
  await utimes(path, touched, touched)
  return folder
}

async function pidOfTheDead(): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-p', 'process.pid'])
  return Number(stdout)
}

describe('the lock of a folder', () => {
  it('refuses a second run, names the first, and is free again after it', async () => {
    const folder = join(await tempFolder(), 'new')
    const first = await FolderLock.take(folder)
    await expect(FolderLock.take(folder)).rejects.toMatchObject({ code: 'output-busy', message: expect.stringContaining(`process ${process.pid} on `) })
    await first[Symbol.asyncDispose]()
    await using _second = await FolderLock.take(folder)
  })

  it('leaves nothing behind', async () => {
    const folder = await tempFolder()
    const lock = await FolderLock.take(folder)
    await lock[Symbol.asyncDispose]()
    expect(await readdir(folder)).toEqual([])
  })

  it('takes over from a process that is gone', async () => {
    await using _lock = await FolderLock.take(await lockedBy({ pid: await pidOfTheDead() }))
  })

  it.skipIf(processStart(process.pid) === '')('takes over from a process whose id another has now', async () => {
    await using _lock = await FolderLock.take(await lockedBy({ processStart: '1' }))
  })

  it('takes over from another machine only when the lock was not touched for a while', async () => {
    await expect(FolderLock.take(await lockedBy({ machine: 'elsewhere', host: 'far' }))).rejects.toMatchObject({ code: 'output-busy' })
    await using _lock = await FolderLock.take(await lockedBy({ machine: 'elsewhere', host: 'far' }, 120_000))
  })

  it.each(['', '{"pid":', '{"pid":-1}'])('gives a lock with %j in it the time to be written', async (text) => {
    await expect(FolderLock.take(await lockedBy(text))).rejects.toMatchObject({ code: 'output-busy' })
    await using _lock = await FolderLock.take(await lockedBy(text, 120_000))
  })

  it('has one holder when many find the same dead one', async () => {
    const folder = await lockedBy({ pid: await pidOfTheDead() })
    const taken = await Promise.allSettled(Array.from({ length: 8 }, () => FolderLock.take(folder)))
    const locks = taken.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(locks).toHaveLength(1)
    await locks[0]?.[Symbol.asyncDispose]()
    expect(await readdir(folder)).toEqual([])
  })

  it('leaves the lock of whoever took over alone', async () => {
    const folder = await tempFolder()
    const lost = await FolderLock.take(folder)
    await writeFile(join(folder, 'lock'), '{"another":"run"}')
    await lost[Symbol.asyncDispose]()
    expect(await readdir(folder)).toEqual(['lock'])
  })
})
