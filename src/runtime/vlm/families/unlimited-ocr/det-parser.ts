import type { OnePassParser } from '../../family.ts'
import type { FoundBlock } from '../../page-reader.ts'
import { soundText } from '../answer-text.ts'
import { detContent } from './det-content.ts'
import { type DetHead, detHead, longestHead } from './det-head.ts'
import { detKind } from './det-kinds.ts'
import { type DetMark, type DetToken, DetTokens } from './det-tokens.ts'

/** Blocks of one page that are given. */
const mostBlocks = 5_000
/** Characters of one block that are kept: more than a page holds. */
const longestContent = 100_000

/** Reads an answer of Unlimited-OCR while it comes: a block is given as soon as the next one begins. */
export const openDetParser = (): OnePassParser => new DetParser()

interface OpenBlock extends DetHead {
  content: string
  isCut: boolean
}

class DetParser implements OnePassParser {
  dropped = 0
  lostText = false
  readonly #tokens = new DetTokens()
  /** Whose text is coming: that of a kind, of a box, of a block, or of nothing. */
  #inside: 'ref' | 'det' | 'block' | 'nothing' = 'nothing'
  #label = ''
  #refType: string | undefined
  #block: OpenBlock | undefined
  /** Words that belong to no box have been counted. */
  #strayCounted = false
  #given = 0

  push(piece: string): FoundBlock[] {
    return this.#read(this.#tokens.push(piece))
  }

  end(cut: boolean): FoundBlock[] {
    const blocks = this.#read(this.#tokens.end())
    if (this.#inside === 'det') this.dropped++
    if (this.#block !== undefined && cut) this.#block.isCut = true
    this.#closeBlock(blocks)
    this.#inside = 'nothing'
    return blocks
  }

  #read(tokens: readonly DetToken[]): FoundBlock[] {
    const blocks: FoundBlock[] = []
    for (const token of tokens) {
      if ('text' in token) this.#hearText(token.text)
      else this.#hearMark(token.mark, blocks)
    }
    return blocks
  }

  #hearText(text: string): void {
    if (this.#inside === 'ref' || this.#inside === 'det') {
      // One character too many is kept, so that what is too long stays so.
      if (this.#label.length <= longestHead) this.#label += text.slice(0, longestHead + 1)
    } else if (this.#block !== undefined) {
      const room = longestContent - this.#block.content.length
      if (text.length > room) this.#block.isCut = true
      this.#block.content += text.slice(0, room)
    } else if (text.trim() !== '') {
      this.lostText = true
      if (!this.#strayCounted) this.dropped++
      this.#strayCounted = true
    }
  }

  #hearMark(mark: DetMark, blocks: FoundBlock[]): void {
    if (mark === '<|/det|>') {
      if (this.#inside === 'det') this.#openBlock()
      return
    }
    if (mark === '<|/ref|>') {
      if (this.#inside !== 'ref') return
      this.#refType = /^\s*(\w{1,64})\s*$/u.exec(this.#label)?.[1]
      this.#inside = 'nothing'
      return
    }
    if (this.#inside === 'det') this.dropped++
    this.#closeBlock(blocks)
    this.#strayCounted = false
    this.#label = ''
    if (mark === '<|det|>') {
      this.#inside = 'det'
    } else {
      this.#refType = undefined
      this.#inside = mark === '<|ref|>' ? 'ref' : 'nothing'
    }
  }

  #openBlock(): void {
    const head = this.#given < mostBlocks ? detHead(this.#label, this.#refType) : undefined
    this.#refType = undefined
    if (head === undefined) {
      this.dropped++
      this.#strayCounted = true
      this.#inside = 'nothing'
      return
    }
    this.#given++
    this.#block = { ...head, content: '', isCut: false }
    this.#inside = 'block'
  }

  #closeBlock(blocks: FoundBlock[]): void {
    if (this.#block === undefined) return
    const { type, box, content: written, isCut } = this.#block
    this.#block = undefined
    const raw = soundText(written)
    const kind = detKind(type)
    const flags = isCut ? (['cut'] as const) : []
    const content = detContent(kind, raw, flags)
    blocks.push({ type, kind: content?.kind ?? kind, box, angle: 0, ...(content && { content }), flags })
  }
}
