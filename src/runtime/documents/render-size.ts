import { turnSize } from '../../geometry/turn.ts'
import type { Box, QuarterTurn } from '../../schema/geometry.ts'

/** No side of a picture is longer, whatever is asked for. */
const maxSidePx = 32_000

/** A part of a page in pixels of the whole page as it would be rendered. */
export interface RenderSize {
  readonly dpi: number
  /** The whole page, turned. */
  readonly pageWidthPx: number
  readonly pageHeightPx: number
  /** The part, inside the page. */
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/**
 * How large a page or a part of it is rendered. The resolution is lowered until the part has at most `maxPixels`:
 * this is decided before anything is allocated. Page size in points as displayed, `region` in fractions after the turn.
 */
export function renderSize(
  page: { readonly width: number; readonly height: number },
  options: { readonly dpi: number; readonly angle: QuarterTurn; readonly region?: Box | undefined; readonly maxPixels: number },
): RenderSize {
  const { width, height } = turnSize(page.width, page.height, options.angle)
  const clamp = (v: number) => Math.min(1, Math.max(0, v))
  const [x0, y0, x1, y1] = (options.region ?? [0, 0, 1, 1]).map(clamp) as [number, number, number, number]
  const partWidth = Math.max(0, x1 - x0) * width
  const partHeight = Math.max(0, y1 - y0) * height
  let scale = options.dpi / 72
  const longest = Math.max(partWidth, partHeight) * scale
  if (longest > maxSidePx) scale *= maxSidePx / longest
  const pixels = partWidth * scale * (partHeight * scale)
  if (pixels > options.maxPixels) scale *= Math.sqrt(options.maxPixels / pixels)
  const pageWidthPx = Math.max(1, Math.round(width * scale))
  const pageHeightPx = Math.max(1, Math.round(height * scale))
  const left = Math.min(pageWidthPx - 1, Math.floor(x0 * pageWidthPx + 1e-6))
  const top = Math.min(pageHeightPx - 1, Math.floor(y0 * pageHeightPx + 1e-6))
  const right = Math.min(pageWidthPx, Math.ceil(x1 * pageWidthPx - 1e-6))
  const bottom = Math.min(pageHeightPx, Math.ceil(y1 * pageHeightPx - 1e-6))
  return { dpi: scale * 72, pageWidthPx, pageHeightPx, left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
}
