import type { TextRegion } from '../../schema/page.ts'
import type { Picture } from '../document-reader.ts'
import type { Bytes } from './resample.ts'
import type { Corners } from './rotated-rectangle.ts'

/** A region of a picture in pixels; whole numbers lie between pixels, so the picture spans 0..width. */
export function cornersInPixels(region: TextRegion, picture: Picture): Corners {
  const [x0, y0, x1, y1, x2, y2, x3, y3] = region.corners
  const { width: w, height: h } = picture
  return [x0 * w, y0 * h, x1 * w, y1 * h, x2 * w, y2 * h, x3 * w, y3 * h]
}

/** Length of the writing direction and height across it, in whole pixels, at least 1. */
export function sizeOf(corners: Corners): { width: number; height: number } {
  const side = (i: number, j: number) => Math.hypot((corners[i] as number) - (corners[j] as number), (corners[i + 1] as number) - (corners[j + 1] as number))
  return {
    width: Math.max(1, Math.round(Math.max(side(0, 2), side(6, 4)))),
    height: Math.max(1, Math.round(Math.max(side(0, 6), side(2, 4)))),
  }
}

/** A crop so tall holds a line that runs down the page. */
const tallRatio = 1.5

export const isTall = (corners: Corners): boolean => {
  const { width, height } = sizeOf(corners)
  return height >= tallRatio * width
}

/** The corners of the same rectangle when the crop is to be turned counter-clockwise by a quarter: what ran down runs right. */
export const turnedCounterClockwise = ([x0, y0, x1, y1, x2, y2, x3, y3]: Corners): Corners => [x1, y1, x2, y2, x3, y3, x0, y0]

/** … and when it is to be turned by a half. */
export const turnedOver = ([x0, y0, x1, y1, x2, y2, x3, y3]: Corners): Corners => [x2, y2, x3, y3, x0, y0, x1, y1]

/**
 * The straightened pixels of a quadrilateral, at the size that it has in the picture.
 * An upright rectangle is a view into the picture, anything else a copy by bilinear sampling with the border repeated.
 */
export function cropLine(picture: Picture, corners: Corners): Bytes {
  return uprightView(picture, corners) ?? straightened(picture, corners)
}

function uprightView(picture: Picture, [x0, y0, x1, y1, x2, y2, x3, y3]: Corners): Bytes | undefined {
  const off = Math.max(Math.abs(y0 - y1), Math.abs(y2 - y3), Math.abs(x0 - x3), Math.abs(x1 - x2))
  if (off > 0.5 || x1 <= x0 || y3 <= y0) return undefined
  const left = Math.min(picture.width - 1, Math.max(0, Math.round(x0)))
  const top = Math.min(picture.height - 1, Math.max(0, Math.round(y0)))
  const width = Math.max(1, Math.min(picture.width, Math.round(x1)) - left)
  const height = Math.max(1, Math.min(picture.height, Math.round(y3)) - top)
  const stride = picture.width * picture.channels
  return { data: picture.data.subarray(top * stride + left * picture.channels), width, height, channels: picture.channels, stride }
}

function straightened(picture: Picture, corners: Corners): Bytes {
  const { width, height } = sizeOf(corners)
  const { channels, data } = picture
  const m = squareToQuad(corners)
  const out = new Uint8Array(width * height * channels)
  const maxX = picture.width - 1
  const maxY = picture.height - 1
  const pictureStride = picture.width * channels
  for (let row = 0, at = 0; row < height; row++) {
    const v = (row + 0.5) / height
    for (let column = 0; column < width; column++) {
      const u = (column + 0.5) / width
      const w = m.g * u + m.h * v + 1
      const x = Math.min(maxX, Math.max(0, (m.a * u + m.b * v + m.c) / w - 0.5))
      const y = Math.min(maxY, Math.max(0, (m.d * u + m.e * v + m.f) / w - 0.5))
      const left = Math.floor(x)
      const top = Math.floor(y)
      const right = x - left
      const down = y - top
      const stepX = left < maxX ? channels : 0
      const stepY = top < maxY ? pictureStride : 0
      let p = top * pictureStride + left * channels
      for (let channel = 0; channel < channels; channel++, p++, at++) {
        const upper = (data[p] as number) * (1 - right) + (data[p + stepX] as number) * right
        const lower = (data[p + stepY] as number) * (1 - right) + (data[p + stepY + stepX] as number) * right
        out[at] = upper * (1 - down) + lower * down + 0.5
      }
    }
  }
  return { data: out, width, height, channels, stride: width * channels }
}

/** The projective map of the unit square onto a quadrilateral. Source: Heckbert 1989, Fundamentals of Texture Mapping. */
function squareToQuad([x0, y0, x1, y1, x2, y2, x3, y3]: Corners) {
  const dx1 = x1 - x2
  const dx2 = x3 - x2
  const dx3 = x0 - x1 + x2 - x3
  const dy1 = y1 - y2
  const dy2 = y3 - y2
  const dy3 = y0 - y1 + y2 - y3
  const det = dx1 * dy2 - dx2 * dy1
  const g = det === 0 ? 0 : (dx3 * dy2 - dx2 * dy3) / det
  const h = det === 0 ? 0 : (dx1 * dy3 - dx3 * dy1) / det
  return { a: x1 - x0 + g * x1, b: x3 - x0 + h * x3, c: x0, d: y1 - y0 + g * y1, e: y3 - y0 + h * y3, f: y0, g, h }
}
