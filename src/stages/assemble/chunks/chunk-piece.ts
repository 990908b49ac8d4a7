import type { Box } from '../../../schema/geometry.ts'

/** A heading above a piece. */
export interface PathEntry {
  readonly id: string
  readonly text: string
  readonly level: number
}

export interface Place {
  readonly page: number
  readonly box: Box
}

/** What chunks are packed of: a block or, of a long one, a part. */
export interface Piece {
  readonly text: string
  readonly markdown: string
  readonly tokens: number
  readonly blocks: readonly string[]
  readonly kinds: readonly string[]
  readonly places: readonly Place[]
  readonly path: readonly PathEntry[]
}

/** Pieces that belong together as one, for example a figure and its caption. */
export function joinPieces(pieces: readonly Piece[]): Piece | undefined {
  const [first, ...others] = pieces
  if (!first) return undefined
  if (others.length === 0) return first
  return {
    text: pieces
      .map((p) => p.text)
      .filter((t) => t !== '')
      .join('\n\n'),
    markdown: pieces
      .map((p) => p.markdown)
      .filter((t) => t !== '')
      .join('\n\n'),
    tokens: pieces.reduce((sum, p) => sum + p.tokens, 0),
    blocks: pieces.flatMap((p) => p.blocks),
    kinds: pieces.flatMap((p) => p.kinds),
    places: pieces.flatMap((p) => p.places),
    path: first.path,
  }
}
