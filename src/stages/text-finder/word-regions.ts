import { toFractions, union } from '../../geometry/box.ts'
import type { TextRegion } from '../../schema/page.ts'
import type { PointBox, TextLayer, Word } from '../../schema/text-layer.ts'
import { regionOf } from './region-bounds.ts'

/** Room around the letters, as a share of the line's height: readers were trained with some. */
const pad = 0.12

/**
 * Where words stand, as regions to be read from the picture: a font with wrong characters still places its glyphs right.
 * Words that follow each other on one baseline share a region.
 */
export function regionsOfWords(layer: TextLayer, indices: readonly number[]): TextRegion[] {
  const boxes: PointBox[] = []
  let last: Word | undefined
  let lastIndex = -2
  for (const index of indices) {
    const word = layer.words[index] as Word
    const before = boxes.at(-1)
    if (last && before && index === lastIndex + 1 && isNextOnLine(last, word)) boxes[boxes.length - 1] = union(before, word.box) as PointBox
    else boxes.push(word.box)
    last = word
    lastIndex = index
  }
  return boxes.map((box) => regionOf(toFractions(padded(box), layer.width, layer.height)))
}

function isNextOnLine(before: Word, word: Word): boolean {
  if (before.angle !== word.angle || before.vertical !== word.vertical) return false
  const height = Math.min(before.box[3] - before.box[1], word.box[3] - word.box[1])
  if (word.angle !== 0 || word.vertical) return false
  return Math.abs(before.baseline - word.baseline) < 0.2 * height && word.box[0] >= before.box[0] && word.box[0] - before.box[2] < 2 * height
}

function padded([x0, y0, x1, y1]: PointBox): PointBox {
  const room = pad * Math.min(x1 - x0, y1 - y0)
  return [x0 - room, y0 - room, x1 + room, y1 + room]
}
