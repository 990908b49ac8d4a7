import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/load-config.ts'
import { InputCache } from '../../../src/inputs/input-cache.ts'
import { MemoryBlobStore } from '../../../src/store/memory-blob-store.ts'

const bytes = Buffer.from('%PDF-1.7 of the store')
const source = (path: string, sha256 = createHash('sha256').update(bytes).digest('hex')) => ({
  ...{ name: 'a.pdf', path, mediaType: 'application/pdf', bytes: bytes.length, sha256 },
})

async function cacheOf(inputs: object = {}) {
  const store = new MemoryBlobStore()
  await store.put('inputs/a', bytes)
  return new InputCache(loadConfig({ env: {}, overrides: { inputs } }), store)
}

it('hands out what lies in the store', async () => {
  await using cache = await cacheOf()
  const { path, release } = await cache.use(source('store:inputs/a'))
  expect(Buffer.compare(await readFile(path), bytes)).toBe(0)
  await release()
})

it('does not take a copy that was checked for one message as checked for another', async () => {
  await using cache = await cacheOf()
  await cache.use(source('store:inputs/a'))
  await expect(cache.use(source('store:inputs/a', '0'.repeat(64)))).rejects.toMatchObject({ code: 'input-changed' })
})

it.each(['/etc/passwd', 'file:///etc/passwd', 's3://bucket/a.pdf', 'https://files.example.com/a.pdf', 'http://files.example.com/a.pdf'])(
  'refuses %s where the configuration lists nothing',
  async (path) => {
    await using cache = await cacheOf()
    await expect(cache.use(source(path))).rejects.toMatchObject({ code: 'input-forbidden' })
  },
)

it('refuses a reference with a signature in it', async () => {
  await using cache = await cacheOf({ hosts: ['files.example.com'] })
  await expect(cache.use(source('https://files.example.com/a.pdf?X-Amz-Signature=abc'))).rejects.toMatchObject({ code: 'input-forbidden' })
})
