import fs, { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { writeNewFile } from '../../../src/store/write-new-file.ts'
import { tempFolder } from '../../support/temp-folder.ts'

async function* breakingOff() {
  yield Buffer.from('some')
  throw new Error('broken off')
}

it('writes what comes of a source', async () => {
  const path = join(await tempFolder(), 'file')
  const twice = async function* (source: AsyncIterable<Buffer>) {
    for await (const piece of source) yield Buffer.concat([piece, piece])
  }
  await writeNewFile(path, Readable.from([Buffer.from('some')]), twice)
  expect(await readFile(path, 'utf8')).toBe('somesome')
})

it('leaves no file when the source breaks off, not even while the system still opens it', async () => {
  const path = join(await tempFolder(), 'file')
  const openNow = fs.open
  const late = (...args: unknown[]) => void setTimeout(() => Reflect.apply(openNow, fs, args), 100)
  vi.spyOn(fs, 'open').mockImplementation(late as typeof fs.open)
  onTestFinished(() => void vi.restoreAllMocks())
  await expect(writeNewFile(path, Readable.from(breakingOff()), (source) => source)).rejects.toThrow('broken off')
  expect(existsSync(path)).toBe(false)
  await sleep(200)
  expect(existsSync(path)).toBe(false)
})

it('rejects where there is no such folder', async () => {
  const path = join(await tempFolder(), 'none', 'file')
  await expect(writeNewFile(path, Readable.from([Buffer.from('some')]), (source) => source)).rejects.toMatchObject({ code: 'ENOENT' })
})
