import type { PageBlock, PageResult } from '../../../schema/page.ts'
import { looksHyphenated, spelledWithHyphen } from '../../../text/broken-word.ts'
import { lettersBefore, lettersFrom } from '../../../text/join-lines.ts'
import { WordSet } from '../../../text/word-set.ts'

/** Broken words that are remembered to tell whether the document breaks words at all. */
const maxBroken = 2_000
/** Of the lines of justified, hyphenated text about one in ten ends in a hyphen; without hyphenation only compounds do. */
const rareShare = 0.02
/** Lines after which the share says something. */
const enoughLines = 60

/** How the whole document spells its words; settles whether a word broken by a line end has a hyphen of its own. */
export class Spelling {
  readonly #words = new WordSet()
  readonly #broken: [head: string, tail: string][] = []
  #lines = 0
  #breaksWords: boolean | undefined

  /** Pages in any order, before the first question. */
  add(page: PageResult): void {
    for (const block of page.blocks) {
      if (block.flags.includes('hidden-text') || block.kind === 'code' || block.kind === 'formula') continue
      const places = block.hyphens?.map(({ text }) => text)
      this.#words.add(block.text, places)
      if (block.kind === 'text' || block.kind === 'list_item') this.#lines += block.lines.length
      for (const at of places ?? []) if (this.#broken.length < maxBroken) this.#broken.push(halvesAt(block, at))
    }
  }

  readonly keepsHyphen = (head: string, tail: string): boolean =>
    spelledWithHyphen(head, tail, this.#words) ??
    (looksHyphenated(head, tail, this.#words) || (!this.#hyphenates() && (this.#words.has(head) || this.#words.has(tail))))

  /** Whether words are broken to fill the lines: some are seen unbroken elsewhere, or hyphens at line ends are many. */
  #hyphenates(): boolean {
    this.#breaksWords ??=
      this.#lines < enoughLines || this.#broken.length > this.#lines * rareShare || this.#broken.some(([head, tail]) => this.#words.has(head + tail))
    return this.#breaksWords
  }
}

/** The halves of the word that was put together at a place in the block's text. */
export const halvesAt = ({ text }: PageBlock, at: number): [head: string, tail: string] => [lettersBefore(text, at), lettersFrom(text, at)]
