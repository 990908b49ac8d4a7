import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Picture } from '../../../../../src/runtime/document-reader.ts'
import { encodeLayout } from '../../../../../src/runtime/vlm/pictures/encode-layout.ts'

const noise = (channels: 1 | 3): Picture => ({
  data: Uint8Array.from({ length: 40 * 60 * channels }, (_, i) => (i * 2654435761) >>> 24),
  ...{ width: 40, height: 60, channels, dpi: 200 },
})

describe('encodeLayout', () => {
  it.each([1, 3] as const)('keeps the %s channels of the page, scaled or not', async (channels) => {
    for (const [width, height] of [
      [40, 60],
      [33, 33],
    ] as const) {
      const sent = await encodeLayout(noise(channels), { width, height })
      expect(await sharp(sent.bytes).metadata()).toMatchObject({ format: 'png', channels, width, height })
    }
  })

  it('shows an engine the same pixels in one channel as in three', async () => {
    const picture = noise(1)
    const three = Uint8Array.from({ length: 3 * picture.data.length }, (_, i) => picture.data[Math.floor(i / 3)] as number)
    const size = { width: 33, height: 33 }
    const decoded = async (page: Picture) =>
      sharp((await encodeLayout(page, size)).bytes)
        .toColourspace('srgb')
        .raw()
        .toBuffer()
    expect((await decoded(picture)).equals(await decoded({ ...picture, data: three, channels: 3 }))).toBe(true)
  })
})
