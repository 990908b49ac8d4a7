import { describe, expect, it } from 'vitest'
import type { Documents, OpenDocument, Picture } from '../../../../../src/runtime/document-reader.ts'
import { PictureCache } from '../../../../../src/runtime/vlm/pictures/picture-cache.ts'
import type { PageFrame, PageRef } from '../../../../../src/schema/page.ts'

const frame: PageFrame = { width: 100, height: 100, angle: 0 }
const page = (pageIndex: number): PageRef => ({
  ...{ documentId: 'd', revision: 'r', pageIndex, pageCount: 9, ocr: 'auto' },
  source: { name: 'd.pdf', path: '/d.pdf', mediaType: 'application/pdf', bytes: 1, sha256: 'abc' },
})

/** Documents whose pages are 10 x 10 pixels of one colour; counts how often each is drawn. */
function drawn(colour: readonly [number, number, number] = [9, 9, 9], fail = () => false) {
  const asked: number[] = []
  const document = {
    async picture(pageIndex: number): Promise<Picture> {
      asked.push(pageIndex)
      if (fail()) throw new Error('no picture')
      return { data: Uint8Array.from({ length: 300 }, (_, i) => colour[i % 3] as number), width: 10, height: 10, channels: 3, dpi: 200 }
    },
  } as unknown as OpenDocument
  const documents = { use: (_: unknown, action: (open: OpenDocument) => Promise<unknown>) => action(document) } as unknown as Documents
  const cache = (maxBytes: number) => new PictureCache({ documents, dpi: 200, maxPixels: 1e6, maxBytes })
  return { asked, cache }
}

describe('PictureCache', () => {
  it('draws a page once for all who ask, also at the same time', async () => {
    const { asked, cache } = drawn()
    const pictures = cache(1000)
    const [a, b] = await Promise.all([pictures.of(page(0), frame), pictures.of(page(0), frame)])
    expect(await pictures.of(page(0), frame)).toBe(a)
    expect(b).toBe(a)
    expect(asked).toEqual([0])
  })

  it('keeps grey pages in one channel and coloured ones in three', async () => {
    expect((await drawn().cache(1000).of(page(0), frame)).channels).toBe(1)
    expect((await drawn([9, 9, 8]).cache(1000).of(page(0), frame)).channels).toBe(3)
  })

  it('puts out the page that was asked for longest ago when there is no more room', async () => {
    const { asked, cache } = drawn()
    const pictures = cache(250) // two grey pages
    for (const index of [0, 1, 0, 2, 0, 1]) await pictures.of(page(index), frame)
    expect(asked).toEqual([0, 1, 2, 1])
  })

  it('tells a page apart by how it is turned', async () => {
    const { asked, cache } = drawn()
    const pictures = cache(1000)
    await pictures.of(page(0), frame)
    await pictures.of(page(0), { ...frame, angle: 90 })
    expect(asked).toHaveLength(2)
  })

  it('does not remember a failure', async () => {
    let failures = 1
    const { cache } = drawn([9, 9, 9], () => failures-- > 0)
    const pictures = cache(1000)
    await expect(pictures.of(page(0), frame)).rejects.toThrow('no picture')
    await expect(pictures.of(page(0), frame)).resolves.toMatchObject({ width: 10 })
  })
})
