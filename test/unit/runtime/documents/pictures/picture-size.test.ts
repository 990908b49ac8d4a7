import { describe, expect, it } from 'vitest'
import { pictureDpi } from '../../../../../src/runtime/documents/pictures/picture-size.ts'

describe('pictureDpi', () => {
  it.each([
    ['a scan that says its resolution', { widthPx: 2480, heightPx: 3508, density: 300 }, 300],
    ['a scan that says nothing', { widthPx: 1700, heightPx: 2200 }, 200],
    ['a small picture that says nothing', { widthPx: 600, heightPx: 400 }, 96],
    ['a photo with the placeholder of cameras', { widthPx: 4000, heightPx: 3000, density: 72 }, 200],
    ['a small page at screen resolution', { widthPx: 612, heightPx: 792, density: 72 }, 72],
    ['a picture with an absurd resolution', { widthPx: 1000, heightPx: 1000, density: 1 }, 96],
  ])('takes %s for what it is', (_, declared, dpi) => {
    expect(pictureDpi(declared)).toBe(dpi)
  })
})
