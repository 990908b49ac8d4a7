import type { Metadata, Sharp } from 'sharp'
import type { Config } from '../../../config/config.ts'
import { turnBox, turnSize } from '../../../geometry/turn.ts'
import type { DocumentInfo } from '../../../schema/document.ts'
import { PagestreamError } from '../../../schema/failure.ts'
import type { Box, QuarterTurn } from '../../../schema/geometry.ts'
import type { TextLayer } from '../../../schema/text-layer.ts'
import { bareTextLayer } from '../../../text-layer/bare-text-layer.ts'
import type { OpenDocument, Picture, PictureOptions } from '../../document-reader.ts'
import type { PictureMediaType } from '../media-type.ts'
import { renderSize } from '../render-size.ts'
import { greyPicture } from './grey-picture.ts'
import { pictureDpi } from './picture-size.ts'
import { loadSharp } from './sharp.ts'

/** One frame as displayed: EXIF orientation applied. */
interface Frame {
  readonly widthPx: number
  readonly heightPx: number
  readonly dpi: number
  readonly alpha: boolean
}

/** Frames of a TIFF beyond this are not offered as pages. */
const maxFrames = 10_000
/** As for scans in PDFs: print of 6 points is 25 pixels high. */
const finestDpi = 300

/**
 * Opens a picture file. Only its header is read: a size over `limits.maxPicturePixels` is refused before anything is
 * decoded. Rejects with `picture-corrupt`, `page-too-large`, `document-not-supported`.
 */
export async function openPicture(path: string, mediaType: PictureMediaType, config: Config): Promise<OpenDocument> {
  const { limits } = config
  const sharp = await loadSharp()
  // The header alone is read without a limit, so that a size over it is told apart from damage; decoding keeps it.
  const decode: Decode = (page, what) =>
    sharp(path, { failOn: 'error', limitInputPixels: what === 'pixels' && limits.maxPicturePixels, ...(page > 0 ? { page } : {}) })
  const head = await readHeader(decode(0, 'header'), mediaType)
  const pageCount = mediaType === 'image/tiff' ? Math.min(head.pages ?? 1, maxFrames) : 1
  const info: DocumentInfo = { pageCount, mediaType, metadata: {}, outline: [], tagged: false, flags: [] }
  const picture = new PictureDocument(info, decode, mediaType, limits)
  picture.check(head, 0)
  return picture
}

type Decode = (page: number, what: 'header' | 'pixels') => Sharp

async function readHeader(picture: Sharp, mediaType: PictureMediaType): Promise<Metadata> {
  try {
    return await picture.metadata()
  } catch (error) {
    const code = mediaType === 'image/heif' ? 'document-not-supported' : 'picture-corrupt'
    throw new PagestreamError(code, 'opening the picture: its header cannot be read', { cause: error })
  }
}

class PictureDocument implements OpenDocument {
  readonly info: DocumentInfo
  private readonly decode: Decode
  private readonly mediaType: PictureMediaType
  private readonly limits: Config['limits']
  private readonly frames = new Map<number, Frame>()

  constructor(info: DocumentInfo, decode: Decode, mediaType: PictureMediaType, limits: Config['limits']) {
    this.info = info
    this.decode = decode
    this.mediaType = mediaType
    this.limits = limits
  }

  async textLayer(pageIndex: number): Promise<TextLayer> {
    const { width, height } = points(await this.frame(pageIndex))
    return bareTextLayer({ width, height, rotation: 0 })
  }

  async picture(pageIndex: number, options: PictureOptions): Promise<Picture> {
    const frame = await this.frame(pageIndex)
    // A picture has no more detail than its pixels: it is never enlarged.
    const dpi = Math.min(options.dpi === 'native' ? finestDpi : options.dpi, frame.dpi)
    const maxPixels = Math.min(this.limits.maxRenderPixels, options.maxPixels ?? this.limits.maxRenderPixels)
    const size = renderSize(points(frame), { dpi, angle: options.angle, region: options.region, maxPixels })
    const part = sourcePart(frame, options.angle, options.region)
    let work = this.decode(pageIndex, 'pixels').autoOrient()
    if (part) work = work.extract(part)
    const turned = turnSize(size.width, size.height, options.angle)
    const from = part ?? { width: frame.widthPx, height: frame.heightPx }
    if (turned.width !== from.width || turned.height !== from.height) work = work.resize(turned.width, turned.height, { fit: 'fill' })
    if (options.angle !== 0) work = work.rotate(options.angle)
    if (frame.alpha) work = work.flatten({ background: '#ffffff' })
    work = options.channels === 1 ? work.greyscale().toColourspace('b-w') : work.toColourspace('srgb')
    try {
      const { data, info } = await work.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
      const channels = options.channels === 'fewest' ? 3 : options.channels
      const picture: Picture = { data: withChannels(data, info.channels, channels), width: info.width, height: info.height, channels, dpi: size.dpi }
      return options.channels === 'fewest' ? greyPicture(picture) : picture
    } catch (error) {
      throw new PagestreamError('picture-corrupt', `decoding page ${pageIndex + 1} of the picture: it cannot be decoded to the end`, { cause: error })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.frames.clear()
  }

  /** Keeps the frame's facts. Throws `page-too-large` for a size over the limits or none. */
  check(head: Metadata, pageIndex: number): Frame {
    const { width: rawWidth = 0, height: rawHeight = 0, orientation = 1, density } = head
    const [widthPx, heightPx] = orientation >= 5 ? [rawHeight, rawWidth] : [rawWidth, rawHeight]
    if (widthPx < 1 || heightPx < 1 || widthPx * heightPx > this.limits.maxPicturePixels) {
      throw new PagestreamError(
        'page-too-large',
        `opening page ${pageIndex + 1} of the picture: its ${widthPx} x ${heightPx} pixels are over limits.maxPicturePixels`,
      )
    }
    const frame = { widthPx, heightPx, dpi: pictureDpi({ widthPx, heightPx, density }), alpha: head.hasAlpha ?? false }
    const { width, height } = points(frame)
    if (Math.max(width, height) > this.limits.maxPagePoints) {
      throw new PagestreamError('page-too-large', `opening page ${pageIndex + 1} of the picture: its size is over limits.maxPagePoints`)
    }
    if (this.frames.size < maxFrames) this.frames.set(pageIndex, frame)
    return frame
  }

  private async frame(pageIndex: number): Promise<Frame> {
    if (pageIndex < 0 || pageIndex >= this.info.pageCount) {
      throw new PagestreamError('page-corrupt', `opening page ${pageIndex + 1} of the picture: it has ${this.info.pageCount}`)
    }
    return this.frames.get(pageIndex) ?? this.check(await readHeader(this.decode(pageIndex, 'header'), this.mediaType), pageIndex)
  }
}

const points = ({ widthPx, heightPx, dpi }: Frame): { width: number; height: number } => ({ width: (widthPx / dpi) * 72, height: (heightPx / dpi) * 72 })

/** The region, which is given on the turned page, in pixels of the frame before the turn; `undefined` for all of it. */
function sourcePart(frame: Frame, angle: QuarterTurn, region: Box | undefined): { left: number; top: number; width: number; height: number } | undefined {
  if (!region) return undefined
  const back = ((360 - angle) % 360) as QuarterTurn
  const [x0, y0, x1, y1] = turnBox(region, 1, 1, back)
  const clampX = (v: number) => Math.min(frame.widthPx, Math.max(0, v * frame.widthPx))
  const clampY = (v: number) => Math.min(frame.heightPx, Math.max(0, v * frame.heightPx))
  const left = Math.min(frame.widthPx - 1, Math.floor(clampX(x0) + 1e-6))
  const top = Math.min(frame.heightPx - 1, Math.floor(clampY(y0) + 1e-6))
  const width = Math.max(1, Math.ceil(clampX(x1) - 1e-6) - left)
  const height = Math.max(1, Math.ceil(clampY(y1) - 1e-6) - top)
  return { left, top, width, height }
}

/** The decoder may answer with another number of channels than asked for (two of grey and alpha, say). */
function withChannels(data: Buffer, has: number, wanted: 1 | 3): Uint8Array {
  if (has === wanted) return new Uint8Array(data.buffer, data.byteOffset, data.length)
  const pixels = data.length / has
  const out = new Uint8Array(pixels * wanted)
  for (let i = 0; i < pixels; i++) {
    for (let c = 0; c < wanted; c++) out[i * wanted + c] = data[i * has + (has >= wanted ? c : 0)] as number
  }
  return out
}
