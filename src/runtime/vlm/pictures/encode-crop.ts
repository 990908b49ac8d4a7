import type { Sharp } from 'sharp'
import { turnPoint } from '../../../geometry/turn.ts'
import type { Box, QuarterTurn } from '../../../schema/geometry.ts'
import type { Picture } from '../../document-reader.ts'
import { loadSharp } from '../../documents/pictures/sharp.ts'
import { cropArea, type PixelArea } from '../crops/crop-area.ts'
import { type CropSize, cropSize } from '../crops/crop-size.ts'
import type { SentPicture } from '../engine.ts'
import type { CropRule } from '../family.ts'
import { coverOutside } from './cover-outside.ts'
import { paintMask } from './paint-mask.ts'
import type { Pixels } from './pixels.ts'
import { sentPng } from './sent-png.ts'

/** A block as its family wants to see it: cut out, turned upright, painted over, padded, scaled. Undefined where it has less than a pixel. */
export async function encodeCrop(picture: Picture, rule: CropRule): Promise<SentPicture | undefined> {
  const area = cropArea(rule.box, picture, rule.rounding)
  if (!area) return undefined
  const sharp = await loadSharp()
  const { data, width, height, channels } = picture
  let image = asIs(sharp(data, { raw: { width, height, channels } }).extract(area), channels)
  if (rule.polygon) image = await painted(image, channels, (pixels) => coverOutside(pixels, polygonIn(area, rule.polygon ?? [], picture)))
  if (rule.angle !== 0) image = image.rotate((360 - rule.angle) % 360)
  if (rule.masks?.length) image = await painted(image, channels, (pixels) => paintMasks(pixels, area, rule, picture))
  return sentPng(await sized(image, channels, cropSize(turned(area, rule.angle), rule), turned(area, rule.angle)))
}

/** The library makes three channels of one unless it is told. */
const asIs = (image: Sharp, channels: 1 | 3): Sharp => (channels === 1 ? image.toColourspace('b-w') : image)

const turned = ({ width, height }: PixelArea, angle: QuarterTurn) => (angle === 90 || angle === 270 ? { width: height, height: width } : { width, height })

/** What is done to pixels that are there: the library's own steps go on behind it. */
async function painted(image: Sharp, channels: 1 | 3, paint: (pixels: Pixels) => void): Promise<Sharp> {
  const sharp = await loadSharp()
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  paint({ data, width: info.width, height: info.height, channels })
  return asIs(sharp(data, { raw: { width: info.width, height: info.height, channels } }), channels)
}

async function sized(image: Sharp, channels: 1 | 3, { padded, sent }: CropSize, size: { readonly width: number; readonly height: number }): Promise<Sharp> {
  let work = image
  const [across, down] = [padded.width - size.width, padded.height - size.height]
  if (across > 0 || down > 0) {
    const [left, top] = [across >> 1, down >> 1]
    // The library would scale before it pads.
    work = await painted(work.extend({ left, right: across - left, top, bottom: down - top, background: '#ffffff' }), channels, () => {})
  }
  return sent.width === padded.width && sent.height === padded.height ? work : work.resize(sent.width, sent.height, { fit: 'fill', kernel: 'cubic' })
}

/** Corners of fractions of the page in pixels of the crop. */
const polygonIn = (area: PixelArea, corners: readonly number[], { width, height }: Picture): number[] =>
  corners.map((value, i) => (i % 2 === 0 ? value * width - area.left : value * height - area.top))

function paintMasks(pixels: Pixels, area: PixelArea, { masks = [], angle, rounding }: CropRule, picture: Picture): void {
  for (const { box, token } of masks) {
    const inner = cropArea(box, picture, rounding)
    if (inner) paintMask(pixels, turnedInto(inner, area, angle), token)
  }
}

/** A box of the page in pixels of the crop, which was turned counter-clockwise by the angle. */
function turnedInto(inner: PixelArea, area: PixelArea, angle: QuarterTurn): PixelArea {
  const [x, y] = [inner.left - area.left, inner.top - area.top]
  const back = ((360 - angle) % 360) as QuarterTurn
  const corners: Box = [...turnPoint(x, y, area.width, area.height, back), ...turnPoint(x + inner.width, y + inner.height, area.width, area.height, back)]
  const [left, top] = [Math.min(corners[0], corners[2]), Math.min(corners[1], corners[3])]
  return { left, top, width: Math.abs(corners[2] - corners[0]), height: Math.abs(corners[3] - corners[1]) }
}
