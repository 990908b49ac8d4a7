import type { PointBox } from '../../../schema/text-layer.ts'
import type { Engine } from './engine.ts'
import type { OpenPage } from './open-page.ts'
import { renderPage } from './render-page.ts'

const dpi = 96
const maxPixels = 2_000_000
/** Grey levels by which ink differs from its ground. */
const contrast = 40

/** A coarse picture of the page, to see whether something that may be switched off is there. Rendered when first asked. */
export class InkMap {
  private readonly engine: Engine
  private readonly open: OpenPage
  private picture: { data: Uint8Array; width: number; height: number; scale: number } | undefined

  constructor(engine: Engine, open: OpenPage) {
    this.engine = engine
    this.open = open
  }

  /** Whether a box of the page, in points, is anything but one even tone. A box without area is looked at with its surroundings. */
  hasInk([x0, y0, x1, y1]: PointBox): boolean {
    const { data, width, height, scale } = this.rendered()
    const left = Math.max(0, Math.floor(x0 * scale) - 1)
    const right = Math.min(width, Math.ceil(x1 * scale) + 1)
    const bottom = Math.min(height, Math.ceil(y1 * scale) + 1)
    let [low, high] = [255, 0]
    for (let y = Math.max(0, Math.floor(y0 * scale) - 1); y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const value = data[y * width + x] ?? 255
        if (value < low) low = value
        if (value > high) high = value
      }
      if (high - low > contrast) return true
    }
    return false
  }

  private rendered() {
    if (!this.picture) {
      const { data, width, height } = renderPage(this.engine, this.open, { dpi, angle: 0, channels: 1 }, maxPixels)
      this.picture = { data, width, height, scale: width / this.open.frame.width }
    }
    return this.picture
  }
}
