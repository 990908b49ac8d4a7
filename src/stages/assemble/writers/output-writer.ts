import type { Document, DocumentBlock } from '../../../schema/document.ts'
import type { Draft } from '../flow/draft.ts'

/** What is known of a document before its first block is written. */
export type DocumentHead = Omit<Document, 'schema' | 'blocks'>

/**
 * One block as it leaves the assembly, in reading order. What its page said is `draft.origin`.
 * `block` is absent when another block has taken over the content; `draft.absorbedBy` names it.
 */
export interface AssembledBlock {
  readonly draft: Readonly<Draft>
  readonly block: DocumentBlock | undefined
}

/**
 * Writes one output of a document, block by block, in bounded memory. Calls come one at a time:
 * `begin`, `block` for each, `end`; or `abandon` when the assembly fails on the way.
 */
export interface OutputWriter {
  begin(head: DocumentHead): Promise<void>
  block(assembled: AssembledBlock): Promise<void>
  /** Returns the files that were written, relative to the document's folder. */
  end(): Promise<readonly string[]>
  abandon(): Promise<void>
}
