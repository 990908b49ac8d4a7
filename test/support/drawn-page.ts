import type { Picture } from '../../src/runtime/document-reader.ts'

/** A grey page that text is drawn on, as it looks at 800 pixels of height. */
export class DrawnPage implements Picture {
  readonly width = 566
  readonly height = 800
  readonly channels = 1
  readonly dpi = 68
  readonly data = new Uint8Array(this.width * this.height).fill(250)

  fill(left: number, top: number, right: number, bottom: number, value = 20): this {
    for (let y = top; y < bottom; y++) this.data.fill(value, y * this.width + left, y * this.width + right)
    return this
  }

  /** Lines of words, 10 pixels apart; every tenth ends early, as paragraphs do. Returns the page. */
  text(left: number, top: number, right: number, bottom: number): this {
    for (let y = top, line = 0; y + 6 <= bottom; y += 10, line++) {
      const end = line % 10 === 9 ? left + (right - left) / 2 : right
      for (let x = left; x < end; x += 22) this.fill(x, y, Math.min(x + 19, right), y + 6, 90)
    }
    return this
  }
}
