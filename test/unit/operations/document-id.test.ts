import { expect, it } from 'vitest'
import { findDocumentId } from '../../../src/operations/document-id.ts'
import { MemoryBlobStore } from '../../../src/store/memory-blob-store.ts'
import { StoreArtifacts } from '../../../src/store/store-artifacts.ts'

const [one, two, waiting] = ['7d1f0c3a9b52', '7d1f0c3a9bff', '55aa0c3a9b52'].map((begin) => begin.padEnd(64, '0')) as [string, string, string]
const revision = '0123456789abcdef'

async function finder(beyond: readonly string[] = []) {
  const store = new MemoryBlobStore()
  const artifacts = new StoreArtifacts(store)
  await artifacts.put(`done/${one}/${revision}`, {}, 'lasting')
  await artifacts.put(`done/${one}/fedcba9876543210`, {}, 'lasting')
  await artifacts.put(`opened/${two}/${revision}`, {}, 'passing')
  await artifacts.put(`unfinished/invoices/2024/7/${revision}`, {}, 'passing')
  await artifacts.put(`unfinished/invoices/2024/77/${revision}`, {}, 'passing')
  await store.put(`inputs/${waiting}`, new Uint8Array())
  const ids = async function* () {
    yield* beyond
  }
  return (text: string) => findDocumentId(text, { open: async () => store, beyond: ids })
}

it('finds a document by what the commands print of its id, with its revision or without', async () => {
  const find = await finder()
  expect(await find('7d1f0c3a9b52')).toBe(one)
  expect(await find(`7d1f0c3a9b52/${revision}`)).toBe(one)
  expect(await find(one)).toBe(one)
  expect(await find(`${one}/${revision}`)).toBe(one)
  expect(await find('55aa0c3a')).toBe(waiting)
})

it('takes an id of the sender that is whole, whatever else begins so', async () => {
  const find = await finder(['short'])
  expect(await find('invoices/2024/7')).toBe('invoices/2024/7')
  expect(await find('invoices/2024/77')).toBe('invoices/2024/77')
  expect(await find('short')).toBe('short')
  expect(await find('sho')).toBeUndefined()
})

it('refuses what several ids begin with, and names them', async () => {
  const find = await finder()
  await expect(find('7d1f0c3a')).rejects.toMatchObject({ code: 'document-ambiguous', message: expect.stringContaining(two) })
  await expect(find('invoices/')).rejects.toMatchObject({ code: 'document-ambiguous' })
})

it('finds none by fewer than eight characters, and looks beyond the store only for what that does not know', async () => {
  const find = await finder([`${'ab'.repeat(31)}cc`, '7d1f0c3a9b52-other'])
  expect(await find('7d1f0c3')).toBeUndefined()
  expect(await find('')).toBeUndefined()
  expect(await find('abababababab')).toBe(`${'ab'.repeat(31)}cc`)
  expect(await find('7d1f0c3a9b52')).toBe(one)
})
