import type { DocumentBlock } from '../../../schema/document.ts'
import type { Draft } from '../flow/draft.ts'
import { blockMarkdown } from '../writers/markdown-block.ts'
import type { PathEntry, Piece, Place } from './chunk-piece.ts'
import { type Stretch, splitText } from './split-text.ts'
import { tablePieces } from './table-pieces.ts'
import { estimateTokens } from './token-estimate.ts'

/**
 * A block as pieces of at most `budget` tokens: a table between its rows, other text at ends of sentences.
 * None for a block that says nothing. `reserved` tokens of a table's first piece are kept free for its caption.
 */
export function blockPieces(draft: Readonly<Draft>, block: DocumentBlock, path: readonly PathEntry[], budget: number, reserved = 0): Piece[] {
  const base = { blocks: [block.id], kinds: [block.kind], path }
  if (block.table && block.table.rows > 0) {
    return tablePieces(block.table, budget, reserved).map(({ text, markdown, tokens, from, to }) => ({
      ...base,
      text,
      markdown,
      tokens,
      places: placesOf(draft, from, to),
    }))
  }
  const text = plainText(block)
  if (text.trim() === '') return []
  const stretches = splitText(text, budget)
  const markdown = blockMarkdown(block)
  if (stretches.length === 1) return [{ ...base, text, markdown, tokens: estimateTokens(text), places: placesOf(draft, 0, text.length) }]
  const markdowns = alike(text, block.markdown, stretches)
  return stretches.map((stretch, i) => {
    const piece = text.slice(stretch.from, stretch.to).trim()
    return { ...base, text: piece, markdown: markdowns?.[i] ?? piece, tokens: estimateTokens(piece), places: placesOf(draft, stretch.from, stretch.to) }
  })
}

/** What is embedded of a block: its text with its list marker; of a picture its description. */
function plainText(block: DocumentBlock): string {
  const text = block.text.trim()
  if (text === '') return block.latex ?? block.image?.alt ?? ''
  return block.kind === 'list_item' && block.marker && !text.startsWith(block.marker) ? `${block.marker} ${text}` : text
}

/** The Markdown of each stretch, where text and Markdown are the same; else unknown. */
function alike(text: string, markdown: string, stretches: readonly Stretch[]): string[] | undefined {
  if (markdown.trim() !== text) return undefined
  return stretches.map(({ from, to }) => text.slice(from, to).trim())
}

/** The places of the characters or rows `[from, to)` of a block. */
function placesOf({ parts }: Readonly<Draft>, from: number, to: number): Place[] {
  const within = parts.filter((part, i) => part.from < to && (parts[i + 1]?.from ?? Number.POSITIVE_INFINITY) > from)
  return (within.length > 0 ? within : parts).map(({ page, box }) => ({ page, box }))
}
