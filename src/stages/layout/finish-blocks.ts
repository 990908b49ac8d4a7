import { toFractions, unionAll } from '../../geometry/box.ts'
import type { LayoutBlock, LayoutLine, TextRegion } from '../../schema/page.ts'
import type { PointBox, Word } from '../../schema/text-layer.ts'
import { regionBox } from '../region-box.ts'
import type { DraftBlock } from './draft-block.ts'
import type { PrintedLine } from './lines/printed-line.ts'
import { orderRightToLeft } from './lines/right-to-left.ts'
import type { Atom, PageGeometry } from './page-geometry.ts'

/** Drafts as blocks of the page: boxes as fractions of the upright page, parents by index. */
export function finishBlocks(drafts: readonly DraftBlock[], page: PageGeometry, regions: readonly TextRegion[]): LayoutBlock[] {
  const places = new Map(drafts.map((draft, i) => [draft, i] as const))
  return drafts.map((draft) => finishBlock(draft, places, page, regions))
}

function finishBlock(draft: DraftBlock, places: ReadonlyMap<DraftBlock, number>, page: PageGeometry, regions: readonly TextRegion[]): LayoutBlock {
  const lines: PlacedLine[] = []
  for (const line of draft.lines) addLines(line, page, regions, lines)
  for (const atom of draft.labels ?? []) lines.push(atomLine(atom, page, regions))
  const areas = lines.map((l) => l.points)
  if (draft.area) areas.push(draft.area)
  const parent = draft.parent && places.get(draft.parent)
  const rightToLeft = draft.lines.length > 0 && draft.lines.filter((l) => l.rightToLeft).length * 2 > draft.lines.length
  return {
    kind: draft.kind,
    box: toFractions(areas.length > 0 ? unionAll(areas) : draft.box, page.width, page.height),
    angle: draft.angle ?? 0,
    ...(draft.vertical ? { vertical: true } : {}),
    ...(rightToLeft ? { rightToLeft } : {}),
    lines: lines.map((l) => l.line),
    ...(draft.brokenByHand ? { brokenByHand: true } : {}),
    ...(draft.table ? { table: draft.table } : {}),
    ...(draft.level !== undefined ? { level: draft.level } : {}),
    ...(draft.marker !== undefined ? { marker: draft.marker } : {}),
    ...(draft.depth !== undefined ? { depth: draft.depth } : {}),
    ...(parent !== undefined ? { parent } : {}),
    ...(draft.alt !== undefined ? { alt: draft.alt } : {}),
    ...(draft.content !== undefined ? { content: draft.content, source: 'text-layer' } : {}),
    flags: draft.flags,
  }
}

interface PlacedLine {
  readonly line: LayoutLine
  readonly points: PointBox
}

/** A printed line may hold words and regions: each region is a line of its own, words next to each other are one. */
function addLines(line: PrintedLine, page: PageGeometry, regions: readonly TextRegion[], found: PlacedLine[]): void {
  let words: number[] = []
  const close = () => {
    if (words.length > 0) found.push(wordsLine(line.rightToLeft ? orderRightToLeft(words, page.words) : words, page))
    words = []
  }
  for (const atom of line.atoms) {
    if (atom.words) for (const word of atom.words) words.push(word)
    else {
      close()
      found.push(atomLine(atom, page, regions))
    }
  }
  close()
}

function wordsLine(words: readonly number[], page: PageGeometry): PlacedLine {
  const points = boxOfWords(words, page.words)
  return { line: { box: toFractions(points, page.width, page.height), words: [...words] }, points }
}

function boxOfWords(words: readonly number[], all: readonly Word[]): PointBox {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const index of words) {
    const box = all[index]?.box
    if (!box) continue
    if (box[0] < x0) x0 = box[0]
    if (box[1] < y0) y0 = box[1]
    if (box[2] > x1) x1 = box[2]
    if (box[3] > y1) y1 = box[3]
  }
  return x0 === Infinity ? [0, 0, 0, 0] : [x0, y0, x1, y1]
}

function atomLine(atom: Atom, page: PageGeometry, regions: readonly TextRegion[]): PlacedLine {
  if (atom.words) return wordsLine(atom.words, page)
  const region = atom.region === undefined ? undefined : regions[atom.region]
  // The atom of a skewed scan stands straightened: the line is where the writing is.
  const box = region ? regionBox(region, page.width, page.height) : atom.box
  return { line: { box: toFractions(box, page.width, page.height), ...(atom.region === undefined ? {} : { region: atom.region }) }, points: box }
}
