import { coverage } from '../geometry/box.ts'
import type { PointBox, Word } from '../schema/text-layer.ts'
import { regionBox } from './region-box.ts'
import type { GatedPage } from './stage-values.ts'

/** What becomes of each word of the text layer. `dropped` words are replaced by what is read from the picture. */
export interface WordFates {
  readonly placed: readonly number[]
  readonly hidden: readonly number[]
  readonly dropped: readonly number[]
}

/**
 * Sorts the words of a page by whether a reader of the page sees them and whether the gate trusts them.
 * A page that must be read from its picture keeps none of its words. The invisible words of a trusted page
 * are its text when they are most of it: that is what an OCR layer over a scan looks like. Otherwise invisible
 * writing is kept apart.
 */
export function sortWords(page: GatedPage): WordFates {
  const { words } = page.textLayer
  const all = words.map((_, i) => i)
  if (page.verdict.kind === 'needs-reading' || page.verdict.kind === 'blank') {
    return { placed: [], hidden: [], dropped: all }
  }
  const bad = new Set(page.verdict.badStyles)
  const regions = bad.size > 0 ? page.verdict.regions.map((r) => regionBox(r, page.frame.width, page.frame.height)) : []
  const ocrLayer = isOcrLayer(words)
  const placed: number[] = []
  const hidden: number[] = []
  const dropped: number[] = []
  for (const [i, word] of words.entries()) {
    if (word.hidden !== undefined && !(ocrLayer && word.hidden === 'invisible')) hidden.push(i)
    else if (bad.has(word.style) && isReplaced(word.box, regions)) dropped.push(i)
    else placed.push(i)
  }
  return { placed, hidden, dropped }
}

/** Most of the words are painted invisibly: the page is a scan that carries its text. */
function isOcrLayer(words: readonly Word[]): boolean {
  let invisible = 0
  for (const word of words) if (word.hidden === 'invisible') invisible++
  return invisible * 2 > words.length
}

const isReplaced = (box: PointBox, regions: readonly PointBox[]): boolean => regions.some((region) => coverage(box, region) > 0.3)
