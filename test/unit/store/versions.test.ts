import { expect, it } from 'vitest'
import { MemoryBlobStore } from '../../../src/store/memory-blob-store.ts'
import { StoredVersions } from '../../../src/store/versions.ts'

it('lets one of two that have read the same version replace it', async () => {
  const store = new MemoryBlobStore()
  const [one, other] = [new StoredVersions<string>(store, 'chunks/d'), new StoredVersions<string>(store, 'chunks/d')]
  expect(await one.read()).toEqual({ version: 0, value: undefined })
  expect(await Promise.all([one.replace(0, 'one'), other.replace(0, 'other')])).toEqual([true, false])
  expect(await other.read()).toEqual({ version: 1, value: 'one' })
})

it('tells who was asleep for several versions that his is not the last, and keeps the last alone', async () => {
  const store = new MemoryBlobStore()
  const [asleep, awake] = [new StoredVersions<number>(store, 'chunks/d'), new StoredVersions<number>(store, 'chunks/d')]
  for (let version = 0; version < 11; version++) await awake.replace(version, version + 1)
  expect(await awake.settle(11)).toBe(true)
  expect(await asleep.replace(3, 0)).toBe(true)
  expect(await asleep.settle(4)).toBe(false)
  expect(await asleep.read()).toEqual({ version: 11, value: 11 })
  expect(await awake.settle(11)).toBe(true)
  const kept: string[] = []
  for await (const key of store.list('chunks/')) kept.push(key)
  expect(kept).toEqual(['chunks/d/000000000011.json'])
})
