import { contains } from '../../geometry/box.ts'
import type { Picture } from '../../runtime/document-reader.ts'
import type { LineReader } from '../../runtime/text-reader.ts'
import type { TextRegion } from '../../schema/page.ts'
import type { TextLayer, Word } from '../../schema/text-layer.ts'
import { similarity } from './edit-distance.ts'
import { boundsOf } from './region-bounds.ts'

/** Lines that are read to judge the layer. */
const samples = 8
/** Readings below this say nothing. */
const minConfidence = 0.8
const minConfident = 3
/** Letters and digits that the layer and the picture must have in common: a layer with one letter in twenty wrong is replaced. */
const agreement = 0.95

/**
 * Whether the invisible words of a scan say what its picture shows. Samples come from the regions found in the picture,
 * not from the layer: writing that the layer lacks counts against it.
 */
export async function hiddenLayerAgrees(
  layer: TextLayer,
  words: readonly number[],
  picture: Picture,
  regions: readonly TextRegion[],
  reader: LineReader,
  signal: AbortSignal,
): Promise<boolean> {
  const chosen = spread(
    regions.filter((region) => isLine(region, picture)),
    samples,
  )
  const read = await reader.read(picture, chosen, signal)
  const scores = read.flatMap((line, i) => {
    if (line.confidence < minConfidence || line.turned || line.text.length < 6) return []
    return [similarity(line.text, wordsIn(layer, words, chosen[i] as TextRegion))]
  })
  if (scores.length < Math.min(minConfident, chosen.length)) return false
  return scores.reduce((sum, score) => sum + score, 0) / scores.length >= agreement
}

/** Sound layers come to half a percent at most. */
const maxDebris = 0.02
const minDebris = 4
const letterAlone = /^[b-hj-np-xz]$/i
const strangeMark = /[\u25a0-\u25ff\u2660-\u266f^~|\\_<>{}\u00ab\u00bb*#=]/
const signInWord = /\p{L}[^\p{L}\p{M}\p{N}'\u2019\u2018\u00ad\-\u2013\u2014.,;:/&)(\][][\p{L}]/u
const rowOfMarks = /^[^\p{L}\p{N}]{3,}$/u
const leaders = /^[.\u2026\u2013\u2014\-*_]+$/

/**
 * Whether the invisible words hold as many scraps as a bad reader leaves: letters alone, signs within words, rows of marks.
 * Such a layer may be right in the lines that are sampled and is still the worse one.
 */
export function hasDebris(layer: TextLayer, words: readonly number[]): boolean {
  const debris = words.filter((index) => {
    const text = layer.words[index]?.text ?? ''
    if (letterAlone.test(text) || signInWord.test(text)) return true
    if (strangeMark.test(text) && /[^\p{L}\p{N}]/u.test(text)) return true
    return rowOfMarks.test(text) && !leaders.test(text)
  })
  return debris.length >= minDebris && debris.length >= maxDebris * words.length
}

/** The layer's words whose centre lies in the region, from left to right. */
function wordsIn(layer: TextLayer, indices: readonly number[], region: TextRegion): string {
  const box = boundsOf(region, layer.width, layer.height)
  return indices
    .map((index) => layer.words[index] as Word)
    .filter(({ box: [x0, y0, x1, y1] }) => contains(box, (x0 + x1) / 2, (y0 + y1) / 2))
    .sort((a, b) => a.box[0] - b.box[0])
    .map((word) => word.text)
    .join(' ')
}

function isLine(region: TextRegion, picture: Picture): boolean {
  const [x0, y0, x1, y1] = boundsOf(region, picture.width, picture.height)
  const ratio = (x1 - x0) / Math.max(1, y1 - y0)
  return ratio > 5 && ratio < 40
}

/** A scan's invisible words that say what its picture shows are its text: they count as seen. */
export function showHiddenWords(layer: TextLayer): TextLayer {
  const words = layer.words.map((word) => {
    if (word.hidden !== 'invisible' && word.hidden !== 'covered') return word
    const { hidden: _, ...seen } = word
    return seen
  })
  return { ...layer, words }
}

/** At most `count` items, evenly spread over the list. */
export function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items]
  return Array.from({ length: count }, (_, i) => items[Math.floor(((i + 0.5) * items.length) / count)] as T)
}
