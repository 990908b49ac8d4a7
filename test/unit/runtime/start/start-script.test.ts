import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { CodeCache } from '../../../../src/runtime/start/code-cache.ts'
import { startScript } from '../../../../src/runtime/start/start-script.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

/** An entry that requires a neighbour and a part of Node, and puts what it has found into a global. */
async function scripts(): Promise<{ entry: string; codeFolder: string; found: () => unknown }> {
  const folder = await tempFolder()
  const name = `found-${folder}`
  await writeFile(join(folder, 'part.cjs'), 'exports.two = () => 2')
  await writeFile(
    join(folder, 'entry.cjs'),
    `globalThis[${JSON.stringify(name)}] = [require('./part.cjs').two(), require('./part.cjs') === require('./part.cjs'), typeof require('node:fs').statSync, __filename]
exports.warm = Promise.resolve()`,
  )
  return { entry: join(folder, 'entry.cjs'), codeFolder: join(folder, 'code'), found: () => Reflect.get(globalThis, name) }
}

describe('starting a bundled script', () => {
  it('runs it with what it requires', async () => {
    const { entry, codeFolder, found } = await scripts()
    startScript(entry, new CodeCache(codeFolder))
    expect(found()).toEqual([2, true, 'function', entry])
  })

  it.skipIf(process.platform === 'win32')('keeps the compiled code once it is warm, and runs the same with it', async () => {
    const { entry, codeFolder, found } = await scripts()
    startScript(entry, new CodeCache(codeFolder))
    await vi.waitFor(async () => expect(await readdir(codeFolder)).toHaveLength(2))
    const first = found()
    startScript(entry, new CodeCache(codeFolder))
    expect(found()).toEqual(first)
    expect(found()).not.toBe(first)
  })

  it('runs a script whose kept code is of no use', async () => {
    const { entry, found } = await scripts()
    const useless = { read: () => Buffer.from('not compiled code'), write: () => undefined } as unknown as CodeCache
    startScript(entry, useless)
    expect(found()).toEqual([2, true, 'function', entry])
  })
})
