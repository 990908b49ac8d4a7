import { expect, it } from 'vitest'
import { Completion } from '../../../../src/consumers/chain/completion.ts'
import { resultKey } from '../../../../src/consumers/chain/keys.ts'
import { MemoryBlobStore } from '../../../../src/store/memory-blob-store.ts'
import { StoreArtifacts } from '../../../../src/store/store-artifacts.ts'
import { source } from '../../../support/page-results.ts'

it('forgets the document that went on longest ago when it remembers too many pages, and completes it from the store', async () => {
  const artifacts = new StoreArtifacts(new MemoryBlobStore())
  const completion = new Completion(artifacts, { rebuild: true, mostPages: 5 })
  const info = { pageCount: 2, metadata: {}, outline: [], flags: [] }
  const opened = await artifacts.put('opened', { info, pages: [0, 1] }, 'passing')
  const page = (documentId: string, pageIndex: number) => ({ documentId, revision: 'r', pageIndex, pageCount: 2, ocr: 'never' as const, source })
  const add = async (documentId: string, pageIndex: number) => {
    const result = await artifacts.put(resultKey(documentId, 'r', pageIndex), { pageIndex }, 'lasting')
    return completion.add({ kind: 'page', page: page(documentId, pageIndex), status: 'ok', result, opened })
  }
  const known = () => ['a', 'b', 'c'].filter((documentId) => completion.knows(page(documentId, 0)))
  for (const documentId of ['a', 'b']) expect(await add(documentId, 0)).toBeUndefined()
  expect(known()).toEqual(['a', 'b'])
  expect(await add('c', 0)).toBeUndefined()
  expect(known()).toEqual(['b', 'c'])
  expect((await add('a', 1))?.results.size).toBe(2)
  expect((await add('c', 1))?.results.size).toBe(2)
  expect((await add('b', 1))?.results.size).toBe(2)
  expect(known()).toEqual([])
})
