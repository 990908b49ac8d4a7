import { describe, expect, it } from 'vitest'
import type { Documents, OpenDocument, Picture, PictureOptions } from '../../../../../src/runtime/document-reader.ts'
import { PictureCache } from '../../../../../src/runtime/vlm/pictures/picture-cache.ts'
import type { PageFrame, PageRef } from '../../../../../src/schema/page.ts'

const frame: PageFrame = { width: 100, height: 100, angle: 0 }
const page = (pageIndex: number): PageRef => ({
  ...{ documentId: 'd', revision: 'r', pageIndex, pageCount: 9, ocr: 'auto' },
  source: { name: 'd.pdf', path: '/d.pdf', mediaType: 'application/pdf', bytes: 1, sha256: 'abc' },
})

/** Documents whose pages are 10 x 10 pixels of grey; keeps how each is asked for. */
function drawn(fail = () => false) {
  const asked: number[] = []
  const options: PictureOptions[] = []
  const document = {
    async picture(pageIndex: number, wanted: PictureOptions): Promise<Picture> {
      asked.push(pageIndex)
      options.push(wanted)
      if (fail()) throw new Error('no picture')
      return { data: new Uint8Array(100), width: 10, height: 10, channels: 1, dpi: 200 }
    },
  } as unknown as OpenDocument
  const documents = { use: (_: unknown, action: (open: OpenDocument) => Promise<unknown>) => action(document) } as unknown as Documents
  const cache = (maxBytes: number) => new PictureCache({ documents, dpi: 200, maxPixels: 1e6, maxBytes })
  return { asked, options, cache }
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

  it('asks for pages in as few channels as they need', async () => {
    const { options, cache } = drawn()
    await cache(1000).of(page(0), frame)
    expect(options).toEqual([{ dpi: 200, angle: 0, channels: 'fewest', maxPixels: 1e6 }])
  })

  it('keeps no page that nobody will ask for again', async () => {
    const { asked, cache } = drawn()
    const pictures = cache(1000)
    await pictures.of(page(0), frame)
    pictures.release(page(0), frame)
    await pictures.of(page(0), frame)
    expect(asked).toEqual([0, 0])
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
    const { cache } = drawn(() => failures-- > 0)
    const pictures = cache(1000)
    await expect(pictures.of(page(0), frame)).rejects.toThrow('no picture')
    await expect(pictures.of(page(0), frame)).resolves.toMatchObject({ width: 10 })
  })
})
