import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { configSchema } from '../../../src/config/config.ts'
import type { Bus } from '../../../src/consumers/bus.ts'
import { Submitter } from '../../../src/inputs/submitter.ts'
import { FsBlobStore } from '../../../src/store/fs-blob-store.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const nobody = {} as Bus

it('refuses a file that changes between its hash and its way into the store, and leaves nothing under its hash', async () => {
  const folder = await tempFolder()
  const path = join(folder, 'growing.pdf')
  class SlowStore extends FsBlobStore {
    override async putFile(key: string, from: string, sha256: string): Promise<boolean> {
      await writeFile(path, '%PDF-1.7 and now other bytes')
      return super.putFile(key, from, sha256)
    }
  }
  const store = new SlowStore(join(folder, 'store'))
  await writeFile(path, '%PDF-1.7 as it was at first!!')
  const submitter = new Submitter(configSchema.parse({}), store, nobody)
  await expect(submitter.identify(path, 'growing.pdf')).rejects.toMatchObject({ code: 'input-changed', class: 'input' })
  const keys: string[] = []
  for await (const key of store.list('')) keys.push(key)
  expect(keys).toEqual([])
})
