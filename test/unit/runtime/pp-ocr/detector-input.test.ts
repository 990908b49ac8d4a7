import { describe, expect, it } from 'vitest'
import { detectorInput, detectorSize } from '../../../../src/runtime/pp-ocr/detector-input.ts'

describe("the detector's input", () => {
  it('scales the long side up or down and rounds each side to the nearest multiple of 32', () => {
    expect(detectorSize(1512, 2064, 960)).toEqual({ width: 704, height: 960 })
    expect(detectorSize(400, 200, 960)).toEqual({ width: 960, height: 480 })
    expect(detectorSize(3000, 10, 640)).toEqual({ width: 640, height: 32 })
  })

  it('holds planes of blue, green and red, normalised by the numbers of ImageNet in that order', () => {
    const data = new Uint8Array(32 * 32 * 3)
    for (let i = 0; i < data.length; i += 3) data.set([255, 128, 0], i)
    const { data: tensor, width, height } = detectorInput({ data, width: 32, height: 32, channels: 3, dpi: 72 }, 32)
    expect([width, height, tensor.length]).toEqual([32, 32, 3 * 32 * 32])
    const plane = 32 * 32
    for (const at of [0, 17, plane - 1]) {
      expect(tensor[at]).toBeCloseTo((0 - 0.485) / 0.229, 4)
      expect(tensor[plane + at]).toBeCloseTo((128 / 255 - 0.456) / 0.224, 4)
      expect(tensor[2 * plane + at]).toBeCloseTo((1 - 0.406) / 0.225, 4)
    }
  })

  it('is the same for a grey picture and its colour copy', () => {
    const grey = Uint8Array.from({ length: 64 * 48 }, (_, i) => (i * 7) % 256)
    const colour = Uint8Array.from({ length: 64 * 48 * 3 }, (_, i) => grey[Math.floor(i / 3)] as number)
    const one = detectorInput({ data: grey, width: 64, height: 48, channels: 1, dpi: 72 }, 96)
    const three = detectorInput({ data: colour, width: 64, height: 48, channels: 3, dpi: 72 }, 96)
    expect(one).toEqual(three)
  })

  it('averages when it shrinks: a hairline does not vanish', () => {
    const data = new Uint8Array(320 * 320).fill(255)
    for (let y = 0; y < 320; y++) data[y * 320 + 161] = 0
    const { data: tensor } = detectorInput({ data, width: 320, height: 320, channels: 1, dpi: 72 }, 32)
    const row = Array.from(tensor.subarray(0, 32), (value) => (value * 0.229 + 0.485) * 255)
    expect(255 - Math.min(...row)).toBeGreaterThan(15)
    expect(row.reduce((sum, value) => sum + 255 - value, 0)).toBeCloseTo(25.5, 0)
  })
})
