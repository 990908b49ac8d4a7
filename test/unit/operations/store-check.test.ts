import { expect, it } from 'vitest'
import { checkStore } from '../../../src/operations/store-check.ts'
import { FsBlobStore } from '../../../src/store/fs-blob-store.ts'
import { MemoryBlobStore } from '../../../src/store/memory-blob-store.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const keysOf = async (store: MemoryBlobStore | FsBlobStore) => {
  const keys: string[] = []
  for await (const key of store.list('')) keys.push(key)
  return keys
}

it('passes a store that keeps to its contract, and leaves nothing in it', async () => {
  for (const store of [new MemoryBlobStore(), new FsBlobStore(await tempFolder())]) {
    await store.put('inputs/x', new Uint8Array(2))
    await checkStore(store)
    expect(await keysOf(store)).toEqual(['inputs/x'])
  }
})

it('refuses a store that looks and then writes', async () => {
  class Racing extends MemoryBlobStore {
    override async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
      if (await this.has(key)) return false
      await this.put(key, bytes)
      return true
    }
  }
  const store = new Racing()
  await expect(checkStore(store)).rejects.toMatchObject({ code: 'store-unfit', message: expect.stringContaining('8 of 9 writers') })
  expect(await keysOf(store)).toEqual([])
})

it('refuses a store that takes no notice of the condition, forgets or mixes up', async () => {
  class Overwriting extends MemoryBlobStore {
    override async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
      await this.put(key, bytes)
      return true
    }
  }
  class Undeleting extends MemoryBlobStore {
    override async delete(): Promise<void> {}
  }
  class Blind extends MemoryBlobStore {
    override async *list(): AsyncIterable<string> {}
  }
  class Garbling extends MemoryBlobStore {
    override async get(): Promise<Uint8Array> {
      return new Uint8Array(3)
    }
  }
  for (const store of [new Overwriting(), new Undeleting(), new Blind(), new Garbling()])
    await expect(checkStore(store)).rejects.toMatchObject({ code: 'store-unfit' })
})
