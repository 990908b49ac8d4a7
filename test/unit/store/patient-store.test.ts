import { expect, it } from 'vitest'
import { PagestreamError } from '../../../src/schema/failure.ts'
import type { BlobStore } from '../../../src/store/blob-store.ts'
import { MemoryBlobStore } from '../../../src/store/memory-blob-store.ts'
import { patientStore } from '../../../src/store/patient-store.ts'

const down = () => new PagestreamError('store-failed', 'the store does not answer')

/** Fails the first calls of the method that is named. */
function failing(store: BlobStore, method: keyof BlobStore, times: number): BlobStore & { calls: number } {
  const own = {
    calls: 0,
    ...Object.fromEntries(
      (['put', 'putIfAbsent', 'get', 'has', 'delete', 'deleteAll', 'list'] as const).map((name) => [name, (store[name] as CallableFunction).bind(store)]),
    ),
  } as BlobStore & { calls: number }
  return Object.assign(own, {
    [method]: async (...given: unknown[]) => {
      if (own.calls++ < times) throw down()
      return (store[method] as (...all: unknown[]) => unknown).apply(store, given)
    },
  })
}

it('calls again until the store answers', async () => {
  const memory = new MemoryBlobStore()
  await patientStore(failing(memory, 'put', 2)).put('a', Buffer.from('1'))
  expect(Buffer.from(await memory.get('a')).toString()).toBe('1')
})

it('does not ask again for what is not there', async () => {
  const store = failing(new MemoryBlobStore(), 'get', 0)
  await expect(patientStore(store).get('a')).rejects.toMatchObject({ code: 'artifact-missing' })
  expect(store.calls).toBe(1)
})

it('gives up on a store that stays away', async () => {
  await expect(patientStore(failing(new MemoryBlobStore(), 'has', 100)).has('a')).rejects.toMatchObject({ code: 'store-failed' })
})

it('goes on with a list where it broke off', async () => {
  const memory = new MemoryBlobStore()
  let breaks = 1
  memory.list = async function* () {
    yield 'a'
    if (breaks-- > 0) throw down()
    yield 'b'
  }
  const keys: string[] = []
  for await (const key of patientStore(memory).list('')) keys.push(key)
  expect(keys).toEqual(['a', 'b'])
})
