import { union } from '../../../geometry/box.ts'
import { listMarker } from '../../../text/list-marker.ts'
import { type DraftBlock, draftText } from '../draft-block.ts'
import type { PrintedLine } from '../lines/printed-line.ts'
import type { PageContext } from './page-context.ts'

const mathSigns = /[=<>≤≥≠≈≡∑∏∫√∂∇±×÷∈∉⊂⊆∪∩∀∃∞→⇒⇔↦⟨⟩‖∥⊕⊗∘·^|{}]|[\u{1d400}-\u{1d7ff}]|[αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ]/gu
const equationNumber = /\(\s*(?:[A-Z]\.?)?\d{1,3}(?:[.-]\d{1,3})*[a-z]?\s*\)$/
const naturalWord =
  /(?<![\p{L}\\])(?!(?:sin|cos|tan|cot|log|ln|exp|max|min|lim|sup|inf|det|dim|ker|mod|arg|gcd|rank|diag|sign|if|and|for)\b)\p{L}{2,}(?!\p{L})/gu

/**
 * A displayed formula: set apart from the text, in symbols rather than words, often with a number at the right edge.
 * A formula within a line stays text.
 */
export function isFormula(block: DraftBlock, context: PageContext): boolean {
  if (block.lines.length === 0 || block.lines.length > 12 || block.lines[0]?.text === '') return false
  const share = symbolShare(block.lines)
  // Several lines without symbols are a paragraph.
  if (block.lines.length > 3 && share < 0.15) return false
  const text = draftText(block).trim()
  if (text.length === 0 || text.length > 400) return false
  const numbered = text.length > 5 && text.endsWith(')') && equationNumber.test(text)
  const inset = isInset(block)
  // At the edge of its column it is a line of text with signs in it; behind a marker it is an item of a list.
  if (!inset && !numbered) return false
  const words = countWords(block, context)
  if (words > 2 && words > 0.15 * text.split(/\s+/).length) return false
  // "Hence x = 2." is a sentence.
  if (!numbered && words > 1 && /^\p{Lu}\p{Ll}{2,}\s/u.test(text)) return false
  const signs = text.match(mathSigns)?.length ?? 0
  if (!numbered && listMarker(text)) return false
  let score = 0
  if (share > 0.5) score += 1.5
  else if (share > 0.25) score += 1
  if (signs > 0) score += Math.min(1.2, 0.4 + (3 * signs) / text.length)
  if (numbered && signs + share > 0) score += 0.7
  if (inset) score += 0.7
  if (words === 0) score += 0.4
  if (context.body.monospace || (block.lines[0]?.monospace ?? 0) > 0.8) score -= 2
  return score >= 2.2
}

/** Words of a language: names of several letters in a font for symbols are none. */
function countWords(block: DraftBlock, { page }: PageContext): number {
  let count = 0
  for (const atom of block.lines.flatMap((line) => line.atoms)) {
    for (const index of atom.words ?? []) {
      const word = page.words[index]
      if (word && page.styles[word.style]?.symbolic !== true) count += word.text.match(naturalWord)?.length ?? 0
    }
  }
  return count
}

function symbolShare(lines: readonly PrintedLine[]): number {
  let [chars, symbolic] = [0, 0]
  for (const line of lines) {
    chars += line.chars
    symbolic += line.symbolic * line.chars
  }
  return chars > 0 ? symbolic / chars : 0
}

/** Clear of the left edge of its column. */
function isInset(block: DraftBlock): boolean {
  const left = Math.min(...block.lines.map((l) => l.box[0]))
  return left - block.column[0] > 1.2 * (block.lines[0]?.em ?? 10)
}

/** Lines of one formula that were split by their height: those that touch or nearly do are one block. */
export function joinFormulas(blocks: readonly DraftBlock[], context: PageContext): DraftBlock[] {
  const joined: DraftBlock[] = []
  for (const block of blocks) {
    const before = joined.at(-1)
    if (before?.kind === 'formula' && block.kind === 'formula' && before.column === block.column && block.box[1] - before.box[3] < 0.5 * context.body.sizePt) {
      before.lines = [...before.lines, ...block.lines]
      before.box = union(before.box, block.box)
    } else joined.push(block)
  }
  return joined
}
