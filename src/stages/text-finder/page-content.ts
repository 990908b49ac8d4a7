import { area, contains, coverage } from '../../geometry/box.ts'
import type { PointBox, TextLayer, Word } from '../../schema/text-layer.ts'

/** What is on a page, as far as it can be told without a picture of it. */
export interface PageContent {
  /** Indices of words that a reader of the page sees. */
  readonly visible: readonly number[]
  /** Indices of words that are invisible or covered by a picture: a text layer of a scan. */
  readonly underPictures: readonly number[]
  /** Characters of the visible words. */
  readonly visibleCharacters: number
  /** Share of the page under pictures, 0..1. */
  readonly pictureShare: number
  /** Pictures that are large enough to hold writing and not written all over by visible words. */
  readonly lookAt: readonly PointBox[]
  /** Share of the page under drawings. */
  readonly drawingShare: number
}

/** A picture smaller than this share of the page is a logo, a stamp or an ornament … */
const minPictureShare = 0.025
/** … and so is one that is lower or narrower than a line of print needs. Points. */
const minPictureSide = 24
/** Pixels that a line of print needs. */
const minPictureSidePx = 24
/** A picture under so much print is a background. */
const printShare = 0.12
/** Pages may be assembled of thousands of picture strips. */
const maxPictures = 2000
const grid = 48

/** Sums up a page's layer. */
export function pageContent(layer: TextLayer): PageContent {
  const visible: number[] = []
  const underPictures: number[] = []
  let visibleCharacters = 0
  layer.words.forEach((word, index) => {
    if (!word.hidden) {
      visible.push(index)
      visibleCharacters += word.text.length
    } else if (word.hidden === 'invisible' || word.hidden === 'covered') underPictures.push(index)
  })
  const pictures = layer.pictures.slice(0, maxPictures)
  const areas = joinStrips(pictures.filter((picture) => Math.min(picture.widthPx, picture.heightPx) > 1).map((picture) => clip(picture.box, layer)))
  return {
    visible,
    underPictures,
    visibleCharacters,
    pictureShare: shareOfPage(areas, layer),
    lookAt: areas.filter((box) => mayHoldWriting(box, layer, visible)),
    drawingShare: shareOfPage(
      layer.drawings.slice(0, maxPictures).map((box) => clip(box, layer)),
      layer,
    ),
  }
}

const clip = (box: PointBox, { width, height }: TextLayer): PointBox => [
  Math.max(0, box[0]),
  Math.max(0, box[1]),
  Math.min(width, box[2]),
  Math.min(height, box[3]),
]

/** Scans are often stored as strips or tiles: pieces that touch along a whole side are one picture. */
function joinStrips(boxes: readonly PointBox[]): PointBox[] {
  const sorted = [...boxes].sort((a, b) => a[1] - b[1] || a[0] - b[0])
  let joined: PointBox[] = []
  const near = (a: number, b: number) => Math.abs(a - b) < 1.5
  const merge = (list: readonly PointBox[], horizontal: boolean) => {
    const out: PointBox[] = []
    for (const box of list) {
      const at = out.findIndex((other) =>
        horizontal
          ? near(other[1], box[1]) && near(other[3], box[3]) && near(other[2], box[0])
          : near(other[0], box[0]) && near(other[2], box[2]) && near(other[3], box[1]),
      )
      const other = out[at]
      if (other) out[at] = [other[0], other[1], Math.max(other[2], box[2]), Math.max(other[3], box[3])]
      else out.push(box)
    }
    return out
  }
  joined = merge(sorted, true)
  return merge(joined, false)
}

function mayHoldWriting(box: PointBox, layer: TextLayer, visible: readonly number[]): boolean {
  const width = box[2] - box[0]
  const height = box[3] - box[1]
  if (Math.min(width, height) < minPictureSide || area(box) < minPictureShare * layer.width * layer.height) return false
  const parts = layer.pictures.filter((picture) => coverage(picture.box, box) > 0.5)
  if (parts.length > 0 && parts.every((picture) => Math.min(picture.widthPx, picture.heightPx) < minPictureSidePx)) return false
  let print = 0
  for (const index of visible) {
    const word = layer.words[index] as Word
    if (contains(box, (word.box[0] + word.box[2]) / 2, (word.box[1] + word.box[3]) / 2)) print += area(word.box)
  }
  return print < printShare * area(box)
}

/** Share of a coarse grid of the page that lies under the boxes: overlaps count once. */
function shareOfPage(boxes: readonly PointBox[], { width, height }: TextLayer): number {
  if (boxes.length === 0) return 0
  const cells = new Uint8Array(grid * grid)
  const cell = (value: number, side: number) => Math.min(grid, Math.max(0, Math.round((value / side) * grid)))
  for (const box of boxes) {
    const [left, right] = [cell(box[0], width), cell(box[2], width)]
    for (let y = cell(box[1], height), end = cell(box[3], height); y < end; y++) cells.fill(1, y * grid + left, y * grid + right)
  }
  return cells.reduce((sum, value) => sum + value, 0) / cells.length
}
