import { centerX, height, width } from '../../geometry/box.ts'
import type { LayoutLine, Look } from '../../schema/page.ts'
import type { TextLayer, TextStyle } from '../../schema/text-layer.ts'
import type { LaidOutPage } from '../stage-values.ts'
import { hasOnlyCapitals } from './has-only-capitals.ts'
import { regionThickness } from './lines/region-thickness.ts'
import type { ReadBlock } from './read-block.ts'

/** The finder's boxes reach beyond the ink: so much of their height is the type's size. */
const sizeOfHeight = 0.72

/**
 * How a block looks: style of most characters; bold or italic when most characters are. A block read from the
 * picture shows its size alone. Undefined for blocks without writing.
 */
export function blockLook(block: ReadBlock, text: string, page: LaidOutPage, neighbours: readonly ReadBlock[]): Look | undefined {
  const style = styleOfMost(block.layout.lines, page.textLayer)
  const size = style?.sizePt ?? regionSizePt(block.layout.lines, page)
  if (size === undefined) return undefined
  const capitals = hasOnlyCapitals(text)
  const centered = isCentered(block, neighbours)
  return {
    sizePt: Math.round(size * 10) / 10,
    bold: style?.bold ?? false,
    italic: style?.italic ?? false,
    font: style?.font ?? '',
    color: style?.color ?? '#000000',
    ...(centered ? { centered } : {}),
    ...(capitals ? { capitals } : {}),
  }
}

interface CountedStyle extends Pick<TextStyle, 'sizePt' | 'font' | 'color' | 'bold' | 'italic'> {}

function styleOfMost(lines: readonly LayoutLine[], layer: TextLayer): CountedStyle | undefined {
  const chars = new Map<number, number>()
  let [all, bold, italic] = [0, 0, 0]
  for (const line of lines) {
    for (const index of line.words ?? []) {
      const word = layer.words[index]
      const style = word && layer.styles[word.style]
      if (!word || !style) continue
      // Raised figures are set smaller than the text they belong to.
      const weight = word.raised ? word.text.length / 100 : word.text.length
      chars.set(word.style, (chars.get(word.style) ?? 0) + weight)
      all += weight
      if (style.bold) bold += weight
      if (style.italic) italic += weight
    }
  }
  let [best, most] = [-1, 0]
  for (const [style, count] of chars) if (count > most) [best, most] = [style, count]
  const style = layer.styles[best]
  return style && { sizePt: style.sizePt, font: style.font, color: style.color, bold: bold > all / 2, italic: italic > all / 2 }
}

/** The median over the regions, in points. */
function regionSizePt(lines: readonly LayoutLine[], page: LaidOutPage): number | undefined {
  const heights = lines.flatMap(({ region }) => {
    const found = region === undefined ? undefined : page.verdict.regions[region]
    return found ? [regionThickness(found, page.frame)] : []
  })
  heights.sort((a, b) => a - b)
  const middle = heights[heights.length >> 1]
  return middle === undefined ? undefined : middle * sizeOfHeight
}

/** Middles that differ by less than this part of the page width are the same. */
const sameMiddle = 0.008

/** What may be set in the middle; list items and code only look so by chance. */
const centrable: ReadonlySet<string> = new Set(['text', 'heading', 'caption', 'aside', 'formula', 'page_header', 'page_footer', 'page_number', 'unknown'])

/**
 * Several lines share their middle and not their edges; or a single line stands in the middle of a wider
 * neighbour, clear of both its edges.
 */
function isCentered(block: ReadBlock, neighbours: readonly ReadBlock[]): boolean {
  const { box, lines: printedLines } = block.layout
  if (block.layout.vertical || printedLines.length === 0 || !centrable.has(block.kind)) return false
  const middle = centerX(box)
  if (printedLines.length > 1) {
    const shared = printedLines.every((line) => Math.abs(centerX(line.box) - middle) < sameMiddle)
    return shared && printedLines.some((line) => line.box[0] - box[0] > 3 * sameMiddle)
  }
  return neighbours.some(({ layout: { box: other, lines } }) => {
    if (lines.length < 2 || width(other) < width(box) * 1.15 || height(other) <= 0) return false
    return Math.abs(centerX(other) - middle) < sameMiddle && box[0] - other[0] > 3 * sameMiddle
  })
}
