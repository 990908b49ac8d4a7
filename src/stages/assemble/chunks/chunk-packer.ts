import { createHash } from 'node:crypto'
import type { Chunk } from '../../../schema/chunk.ts'
import { joinPieces, type PathEntry, type Piece } from './chunk-piece.ts'
import { estimateTokens } from './token-estimate.ts'

export interface ChunkBudget {
  readonly maxTokens: number
  readonly minTokens: number
}

/** Ids of chunks with the same text are told apart by their count; so many are counted. */
const maxCounted = 500_000

/**
 * Packs pieces into chunks: as many neighbours under one heading as fit the budget. A chunk that is still smaller
 * than `minTokens` when its section ends goes on into the next section under the same parent heading; the
 * headings below the common one then stand in its text.
 */
export class ChunkPacker {
  readonly #document: { readonly id: string; readonly revision: string }
  readonly #budget: ChunkBudget
  readonly #leave: (chunk: Chunk) => Promise<void>
  readonly #seen = new Map<string, number>()
  #pieces: Piece[] = []
  #tokens = 0
  #common: readonly PathEntry[] = []
  #index = 0

  constructor(document: { readonly id: string; readonly revision: string }, budget: ChunkBudget, leave: (chunk: Chunk) => Promise<void>) {
    this.#document = document
    this.#budget = budget
    this.#leave = leave
  }

  async add(piece: Piece): Promise<void> {
    const common = commonPath(this.#common, piece.path)
    if (this.#pieces.length > 0 && !this.#fits(piece, common)) await this.flush()
    const last = this.#pieces.at(-1)
    this.#pieces.push(piece)
    if (!last) {
      this.#common = piece.path
      this.#tokens = piece.tokens
    } else if (common.length === this.#common.length) {
      this.#tokens += sizeOf(piece.path.slice(Math.max(common.length, commonPath(last.path, piece.path).length))) + piece.tokens
    } else {
      this.#common = common
      this.#tokens = this.#sizeUnder(common)
    }
  }

  async flush(): Promise<void> {
    const pieces = withHeadings(this.#pieces, this.#common)
    const path = this.#common
    this.#pieces = []
    this.#common = []
    const whole = joinPieces(pieces)
    if (whole) await this.#leave(this.#chunk(whole, path))
  }

  #fits(piece: Piece, common: readonly PathEntry[]): boolean {
    const samePath = common.length === this.#common.length && common.length === piece.path.length
    if (samePath) return this.#tokens + piece.tokens <= this.#budget.maxTokens
    if (common.length === 0 || this.#tokens >= this.#budget.minTokens) return false
    const headings = sizeOf(piece.path.slice(common.length))
    return this.#sizeUnder(common) + headings + piece.tokens <= this.#budget.maxTokens
  }

  /** Tokens of the pieces so far, with the headings that would have to stand among them. */
  #sizeUnder(common: readonly PathEntry[]): number {
    return withHeadings(this.#pieces, common).reduce((sum, piece) => sum + piece.tokens, 0)
  }

  #chunk(piece: Piece, path: readonly PathEntry[]): Chunk {
    const headings = path.map((entry) => entry.text)
    const pages = [...new Set(piece.places.map((place) => place.page))].sort((a, b) => a - b)
    return {
      id: this.#id(headings, piece),
      documentId: this.#document.id,
      revision: this.#document.revision,
      index: this.#index++,
      text: piece.text,
      markdown: piece.markdown,
      headings,
      pages,
      places: [...piece.places],
      blocks: [...new Set(piece.blocks)],
      kinds: [...new Set(piece.kinds)],
      tokens: piece.tokens,
    }
  }

  /** Of the document, the heading path and the text alone: what was added elsewhere in the document changes no id. */
  #id(headings: readonly string[], { text }: Piece): string {
    const id = createHash('sha256')
      .update(JSON.stringify([this.#document.id, headings, text]))
      .digest('hex')
      .slice(0, 32)
    const count = this.#seen.get(id) ?? 0
    if (count > 0 || this.#seen.size < maxCounted) this.#seen.set(id, count + 1)
    return count === 0 ? id : createHash('sha256').update(`${id} ${count}`).digest('hex').slice(0, 32)
  }
}

const sizeOf = (path: readonly PathEntry[]): number => path.reduce((sum, entry) => sum + estimateTokens(entry.text), 0)

function commonPath(a: readonly PathEntry[], b: readonly PathEntry[]): readonly PathEntry[] {
  let length = 0
  while (length < Math.min(a.length, b.length) && a[length]?.id === b[length]?.id) length++
  return a.slice(0, length)
}

/** The pieces, with a piece for each heading below the common path where it begins. */
function withHeadings(pieces: readonly Piece[], common: readonly PathEntry[]): Piece[] {
  const out: Piece[] = []
  let before: readonly PathEntry[] = common
  for (const piece of pieces) {
    const known = commonPath(before, piece.path).length
    for (const entry of piece.path.slice(Math.max(known, common.length))) out.push(headingPiece(entry, piece))
    out.push(piece)
    before = piece.path
  }
  return out
}

const headingPiece = (entry: PathEntry, { path }: Piece): Piece => ({
  text: entry.text,
  markdown: `${'#'.repeat(entry.level)} ${entry.text}`,
  tokens: estimateTokens(entry.text),
  blocks: [entry.id],
  kinds: ['heading'],
  places: [],
  path,
})
