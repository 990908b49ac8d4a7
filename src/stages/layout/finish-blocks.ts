import { toFractions, union } from '../../geometry/box.ts'
import type { LayoutBlock, LayoutLine, TextRegion } from '../../schema/page.ts'
import type { PointBox } from '../../schema/text-layer.ts'
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
  const lines = [...draft.lines.flatMap((line) => layoutLines(line, page, regions)), ...(draft.labels ?? []).map((atom) => atomLine(atom, page, regions))]
  const area = [...lines.map((l) => l.points), ...(draft.area ? [draft.area] : [])].reduce<PointBox | undefined>(
    (all, b) => (all ? union(all, b) : b),
    undefined,
  )
  const parent = draft.parent && places.get(draft.parent)
  const rightToLeft = draft.lines.length > 0 && draft.lines.filter((l) => l.rightToLeft).length * 2 > draft.lines.length
  return {
    kind: draft.kind,
    box: toFractions(area ?? draft.box, page.width, page.height),
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
function layoutLines(line: PrintedLine, page: PageGeometry, regions: readonly TextRegion[]): PlacedLine[] {
  const found: PlacedLine[] = []
  let words: number[] = []
  const close = () => {
    if (words.length > 0) found.push(wordsLine(line.rightToLeft ? orderRightToLeft(words, page.words) : words, page))
    words = []
  }
  for (const atom of line.atoms) {
    if (atom.words) words.push(...atom.words)
    else {
      close()
      found.push(atomLine(atom, page, regions))
    }
  }
  close()
  return found
}

function wordsLine(words: readonly number[], page: PageGeometry): PlacedLine {
  let points: PointBox | undefined
  for (const index of words) {
    const box = page.words[index]?.box
    if (box) points = points ? union(points, box) : box
  }
  const box = points ?? [0, 0, 0, 0]
  return { line: { box: toFractions(box, page.width, page.height), words: [...words] }, points: box }
}

function atomLine(atom: Atom, page: PageGeometry, regions: readonly TextRegion[]): PlacedLine {
  if (atom.words) return wordsLine(atom.words, page)
  const region = atom.region === undefined ? undefined : regions[atom.region]
  // The atom of a skewed scan stands straightened: the line is where the writing is.
  const box = region ? regionBox(region, page.width, page.height) : atom.box
  return { line: { box: toFractions(box, page.width, page.height), ...(atom.region === undefined ? {} : { region: atom.region }) }, points: box }
}
