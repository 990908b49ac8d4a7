import { type Element, ElementSplitter } from './element-splitter.ts'
import type { Watcher } from './watcher.ts'

const mostInARow = 3
/** Blocks whose boxes are remembered. */
const mostRemembered = 1_000
/** Thousandths of a side, squared: a larger box is the ground of the page, and all lies inside it. */
const groundArea = 800_000

const block = /^<\|det\|>\s*(\w*)\s*\[\s*(\d{1,4})\s*,\s*(\d{1,4})\s*,\s*(\d{1,4})\s*,\s*(\d{1,4})\s*\]\s*<\|\/det\|>/
const refAtEnd = /<\|ref\|>[^<]*<\|\/ref\|>\s*$/

interface SeenBlock {
  readonly kind: string
  readonly box: readonly [number, number, number, number]
}

/**
 * Trips at the third block in a row that stands where another one stood: of the same kind and box, or empty and inside an earlier one. So end
 * answers that find no end, and those that begin to read the page again. The answer is cut in front of the three.
 */
export class RepeatedBoxes implements Watcher {
  readonly #splitter = new ElementSplitter('<|det|>')
  readonly #seen: SeenBlock[] = []
  #inARow = 0
  #firstStart = 0

  hear(piece: string, at: number): number | undefined {
    for (const element of this.#splitter.hear(piece, at)) {
      this.#inARow = this.#isAgain(element) ? this.#inARow + 1 : 0
      if (this.#inARow === 1) this.#firstStart = element.start
      if (this.#inARow >= mostInARow) return this.#firstStart
    }
    return undefined
  }

  #isAgain({ text }: Element): boolean {
    const match = text === undefined ? null : block.exec(text)
    if (text === undefined || match === null) return false
    const [whole, kind = '', ...sides] = match
    const [x0, y0, x1, y1] = sides.map(Number) as [number, number, number, number]
    const isEmpty = text.slice(whole.length).replace(refAtEnd, '').trim() === ''
    const again = this.#seen.some(({ kind: other, box }) => {
      if (other === kind && box[0] === x0 && box[1] === y0 && box[2] === x1 && box[3] === y1) return true
      const isGround = (box[2] - box[0]) * (box[3] - box[1]) > groundArea
      return isEmpty && !isGround && x0 >= box[0] && y0 >= box[1] && x1 <= box[2] && y1 <= box[3]
    })
    if (!again && this.#seen.length < mostRemembered) this.#seen.push({ kind, box: [x0, y0, x1, y1] })
    return again
  }
}
