import { furnitureKinds } from '../../../schema/block-kind.ts'
import type { Chunk } from '../../../schema/chunk.ts'
import type { DocumentBlock } from '../../../schema/document.ts'
import { isHidden } from '../flow/draft.ts'
import type { AssembledBlock } from '../writers/output-writer.ts'
import { blockPieces } from './block-pieces.ts'
import { type ChunkBudget, ChunkPacker } from './chunk-packer.ts'
import { joinPieces, type PathEntry, type Piece } from './chunk-piece.ts'
import { estimateTokens } from './token-estimate.ts'

interface OpenHeading extends PathEntry {
  readonly block: DocumentBlock
  /** Whether anything was said below it. */
  used: boolean
}

/** A figure or table whose captions and notes are still to come. */
interface Waiting {
  readonly body: AssembledBlock & { readonly block: DocumentBlock }
  readonly path: readonly PathEntry[]
  readonly before: Piece[]
  readonly after: Piece[]
  missing: number
}

/** Bodies and captions that wait for each other at once. */
const maxWaiting = 64

/**
 * Makes retrieval chunks of the stream of blocks: keeps the heading path, holds figures and tables together with
 * their captions and notes, cuts what is too long and packs what is small. Furniture and hidden text stay out.
 */
export class Chunker {
  readonly #packer: ChunkPacker
  readonly #budget: number
  #path: OpenHeading[] = []
  readonly #waiting = new Map<string, Waiting>()
  readonly #early = new Map<string, { readonly page: number; readonly pieces: Piece[] }>()
  readonly #done = new Set<string>()

  constructor(document: { readonly id: string; readonly revision: string }, budget: ChunkBudget, leave: (chunk: Chunk) => Promise<void>) {
    this.#packer = new ChunkPacker(document, budget, leave)
    this.#budget = budget.maxTokens
  }

  async block({ draft, block }: AssembledBlock): Promise<void> {
    if (!block || furnitureKinds.has(block.kind) || isHidden(draft)) return
    await this.#releaseOld(block.page)
    if (block.kind === 'heading') return this.#heading(block)
    for (const heading of this.#path) heading.used = true
    const isBody = block.table !== undefined || block.image !== undefined || block.kind === 'figure' || block.kind === 'chart' || draft.tiedAfter > 0
    if (isBody) await this.#body({ draft, block })
    else if ((block.kind === 'caption' || block.kind === 'footnote') && block.parent !== undefined) await this.#tied({ draft, block }, block.parent)
    else await this.#pack(blockPieces(draft, block, this.#path, this.#budget))
  }

  async end(): Promise<void> {
    await this.#releaseAll()
    await this.#popTo(0)
    await this.#packer.flush()
  }

  async #heading(block: DocumentBlock): Promise<void> {
    await this.#releaseAll()
    const level = block.level ?? 1
    await this.#popTo(this.#path.findIndex((open) => open.level >= level))
    this.#path = [...this.#path, { id: block.id, text: block.text.replace(/\s+/g, ' ').trim(), level, block, used: false }]
  }

  /** Closes the headings from `length` on. One without anything below it is text of the section above. */
  async #popTo(length: number): Promise<void> {
    if (length < 0) return
    const closed = this.#path.slice(length)
    this.#path = this.#path.slice(0, length)
    const bare = closed.at(-1)
    if (!bare || bare.used || bare.text === '') return
    const path = [...this.#path, ...closed.slice(0, -1)]
    for (const heading of path) heading.used = true
    const { id, text, level, block } = bare
    const places = (block.parts ?? [{ page: block.page, box: block.box }]).map(({ page, box }) => ({ page, box }))
    await this.#pack([{ text, markdown: `${'#'.repeat(level)} ${text}`, tokens: estimateTokens(text), blocks: [id], kinds: ['heading'], places, path }])
  }

  async #body(body: AssembledBlock & { readonly block: DocumentBlock }): Promise<void> {
    const { id } = body.block
    const before = this.#early.get(id)?.pieces ?? []
    this.#early.delete(id)
    const waiting: Waiting = { body, path: this.#path, before, after: [], missing: body.draft.tiedAfter }
    if (waiting.missing === 0) return this.#release(waiting)
    this.#waiting.set(id, waiting)
    if (this.#waiting.size > maxWaiting) await this.#releaseAll()
  }

  /** A caption or note: to its body, which is before it, behind it or gone. */
  async #tied({ draft, block }: AssembledBlock & { readonly block: DocumentBlock }, parent: string): Promise<void> {
    const pieces = blockPieces(draft, block, this.#path, this.#budget)
    const waiting = this.#waiting.get(parent)
    if (waiting) {
      waiting.after.push(...pieces)
      if (--waiting.missing > 0) return
      this.#waiting.delete(parent)
      await this.#release(waiting)
    } else if (block.kind === 'footnote' || this.#done.has(parent) || this.#early.size >= maxWaiting) await this.#pack(pieces)
    else this.#early.set(parent, { page: block.page, pieces: [...(this.#early.get(parent)?.pieces ?? []), ...pieces] })
  }

  async #release({ body, path, before, after }: Waiting): Promise<void> {
    this.#done.add(body.block.id)
    if (this.#done.size > maxWaiting) for (const oldest of this.#done) if (this.#done.delete(oldest)) break
    const reserved = [...before, ...after].reduce((sum, piece) => sum + piece.tokens, 0)
    const pieces = blockPieces(body.draft, body.block, path, this.#budget, reserved)
    const [first, ...others] = withoutEcho(pieces, [...before, ...after])
    const fits = reserved + (first?.tokens ?? 0) <= this.#budget
    const together = fits ? joinPieces([...before, ...(first ? [first] : []), ...after]) : undefined
    if (together) await this.#pack([together, ...others])
    else await this.#pack([...before, ...(first ? [first] : []), ...others, ...after])
  }

  /** Captions do not wait for bodies of pages long past. */
  async #releaseOld(page: number): Promise<void> {
    for (const [parent, early] of this.#early) {
      if (page <= early.page + 1) continue
      this.#early.delete(parent)
      await this.#pack(early.pieces)
    }
    for (const [id, waiting] of this.#waiting) {
      const { parts } = waiting.body.draft
      if (page <= (parts.at(-1)?.page ?? 0) + 1) continue
      this.#waiting.delete(id)
      await this.#release(waiting)
    }
  }

  async #releaseAll(): Promise<void> {
    for (const waiting of this.#waiting.values()) await this.#release(waiting)
    this.#waiting.clear()
    for (const { pieces } of this.#early.values()) await this.#pack(pieces)
    this.#early.clear()
  }

  async #pack(pieces: readonly Piece[]): Promise<void> {
    for (const piece of pieces) await this.#packer.add(piece)
  }
}

/** A picture described by its own caption says nothing more than the caption. */
function withoutEcho(pieces: readonly Piece[], tied: readonly Piece[]): readonly Piece[] {
  return pieces.map((piece) => (tied.some((t) => t.text.startsWith(piece.text)) && piece.kinds[0] !== 'table' ? { ...piece, text: '', tokens: 0 } : piece))
}
