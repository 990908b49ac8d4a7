import type { DocumentBlock } from '../../../schema/document.ts'
import { escapeMarkdown } from '../../../text/markdown-escape.ts'
import { formulaMarkdown } from '../../formula-markdown.ts'
import { strayText } from '../../stray-text.ts'
import { type Draft, isByModel } from '../flow/draft.ts'
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
  const { table } = block
  if (table && table.rows > 0) {
    const rows = tablePieces(table, budget, reserved, { formulas: isByModel(block) }).map(({ from, to, ...piece }) => ({
      ...base,
      ...piece,
      places: placesOf(draft, from, to),
    }))
    const stray = strayText(table, block.text)
    const places = placesOf(draft, 0, table.rows)
    return [
      ...rows,
      ...(stray === ''
        ? []
        : textPieces(stray, isByModel(block) ? formulaMarkdown(stray) : escapeMarkdown(stray), budget).map(({ from, to, ...piece }) => ({
            ...base,
            ...piece,
            places,
          }))),
    ]
  }
  const text = plainText(block)
  if (text.trim() === '') return []
  return textPieces(text, blockMarkdown(block), budget).map(({ from, to, ...piece }) => ({ ...base, ...piece, places: placesOf(draft, from, to) }))
}

/** A text in stretches. Where marks of Markdown fall among them is not known: the parts of a long text are given as plain text. */
function textPieces(text: string, markdown: string, budget: number): (Stretch & Pick<Piece, 'text' | 'markdown' | 'tokens'>)[] {
  const stretches = splitText(text, budget)
  return stretches.map(({ from, to }) => {
    const piece = text.slice(from, to).trim()
    return { from, to, text: piece, markdown: stretches.length === 1 ? markdown : escapeMarkdown(piece), tokens: estimateTokens(piece) }
  })
}

/** What is embedded of a block: its text with its list marker; of a picture its description. */
function plainText(block: DocumentBlock): string {
  const text = block.text.trim()
  if (text === '') return block.latex ?? block.image?.alt ?? ''
  return block.kind === 'list_item' && block.marker && !text.startsWith(block.marker) ? `${block.marker} ${text}` : text
}

/** The places of the characters or rows `[from, to)` of a block. */
function placesOf({ parts }: Readonly<Draft>, from: number, to: number): Place[] {
  const within = parts.filter((part, i) => part.from < to && (parts[i + 1]?.from ?? Number.POSITIVE_INFINITY) > from)
  return (within.length > 0 ? within : parts).map(({ page, box }) => ({ page, box }))
}
