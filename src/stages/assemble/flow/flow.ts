import { type BlockKind, furnitureKinds } from '../../../schema/block-kind.ts'
import type { PageResult } from '../../../schema/page.ts'
import type { JoinOptions } from '../../../text/join-lines.ts'
import { escapeMarkdown } from '../../../text/markdown-escape.ts'
import { tableText } from '../../../text/table-text.ts'
import { tableToMarkdown } from '../../table-markdown.ts'
import { type Draft, isHidden } from './draft.ts'
import { absorbText } from './join-text.ts'
import { OpenTable } from './open-table.ts'
import { goesOn, isJoinable } from './paragraph-joins.ts'
import { isContinuationCaption, tableGoesOn } from './table-joins.ts'
import { hasMark } from './tie-footnotes.ts'

/** Beside the text: neither breaks a paragraph nor a table. */
const besides: ReadonlySet<BlockKind> = new Set([...furnitureKinds, 'footnote', 'aside', 'stamp'])
const floats: ReadonlySet<BlockKind> = new Set(['figure', 'chart', 'table', 'caption'])

/** A broken paragraph is sought over so many pages (full-page figures between), and so many blocks wait at most. */
const maxPagesOpen = 4
const maxWaiting = 20_000

interface TableInFlow {
  readonly draft: Draft
  readonly rows: OpenTable
  readonly captions: string[]
}

/**
 * The drafts of a document as one stream: joins what columns and pages broke, and lets a block go as soon as
 * nothing can join it any more. Blocks leave in reading order, absorbed ones too, so that nothing is lost from sight.
 */
export class Flow {
  readonly #spelling: JoinOptions
  readonly #leave: (draft: Draft) => Promise<void>
  #waiting: Draft[] = []
  #text: { readonly draft: Draft; floats: boolean } | undefined
  #note: Draft | undefined
  #table: TableInFlow | undefined
  #lastPage: number | undefined
  readonly #absorbed = new Map<string, string>()

  constructor(spelling: JoinOptions, leave: (draft: Draft) => Promise<void>) {
    this.#spelling = spelling
    this.#leave = leave
  }

  /** The next page, in order; nothing is joined over a page that failed or was not asked for. */
  async page(page: PageResult, drafts: readonly Draft[]): Promise<void> {
    if (page.status === 'failed' || (this.#lastPage !== undefined && page.index !== this.#lastPage + 1)) this.#closeAll()
    this.#lastPage = page.index
    if (this.#text && page.index - (this.#text.draft.parts.at(-1)?.page ?? 0) > maxPagesOpen) this.#text = undefined
    if (this.#note && page.index - (this.#note.parts.at(-1)?.page ?? 0) > 1) this.#note = undefined
    if (this.#table && page.index - (this.#table.draft.parts.at(-1)?.page ?? 0) > 1) this.#closeTable()
    for (const draft of drafts) {
      this.#take(draft)
      this.#waiting.push(draft)
    }
    if (this.#waiting.length > maxWaiting) this.#closeAll()
    await this.#release()
  }

  async finish(): Promise<void> {
    this.#closeAll()
    await this.#release()
  }

  #take(draft: Draft): void {
    if (isHidden(draft) || draft.absorbedBy !== undefined) return
    if (draft.kind === 'footnote') this.#takeNote(draft)
    if (besides.has(draft.kind)) return
    if (draft.kind === 'table') this.#takeTable(draft)
    else if (draft.kind !== 'caption' || !this.#keepsTable(draft)) this.#closeTable()
    if (floats.has(draft.kind)) {
      if (this.#text) this.#text.floats = true
      return
    }
    if (!isJoinable(draft)) {
      this.#text = undefined
      return
    }
    const open = this.#text
    if (open && goesOn(open.draft, draft, { floats: open.floats })) {
      absorbText(open.draft, draft, this.#spelling)
      this.#absorbed.set(draft.origin.id, open.draft.origin.id)
      open.floats = false
    } else this.#text = { draft, floats: false }
  }

  #takeNote(draft: Draft): void {
    const open = this.#note
    if (open && !hasMark(draft) && goesOn(open, draft, { floats: false })) {
      absorbText(open, draft, this.#spelling)
      this.#absorbed.set(draft.origin.id, open.origin.id)
    } else this.#note = draft
  }

  #takeTable(draft: Draft): void {
    const open = this.#table
    const table = draft.origin.table
    const continuation = open ? tableGoesOn(open.draft, open.rows, draft) : undefined
    if (!open || !table || !continuation) {
      this.#closeTable()
      this.#table = table && table.rows > 0 ? { draft, rows: new OpenTable(table, draft.text), captions: [] } : undefined
      return
    }
    const from = open.rows.append(table, draft.text, continuation.skip, continuation.completesLastRow)
    open.draft.parts.push({ page: draft.page.index, box: draft.origin.box, from })
    for (const flag of draft.flags) open.draft.flags.add(flag)
    open.draft.flags.add('merged')
    draft.absorbedBy = open.draft.origin.id
    this.#absorbed.set(draft.origin.id, open.draft.origin.id)
  }

  /** A caption of the open table itself, or one that says that it goes on. */
  #keepsTable(caption: Draft): boolean {
    const open = this.#table
    if (!open) return false
    if (caption.parent === open.draft.origin.id && caption.page.index === open.draft.page.index) {
      open.captions.push(caption.text)
      return true
    }
    const above = [...open.captions, ...this.#captionsOf(open.draft)]
    return caption.page.index !== open.draft.parts.at(-1)?.page && isContinuationCaption(caption.text, above)
  }

  #captionsOf(table: Draft): string[] {
    return this.#waiting.filter((d) => d.kind === 'caption' && d.parent === table.origin.id).map((d) => d.text)
  }

  #closeTable(): void {
    const open = this.#table
    this.#table = undefined
    if (!open || open.draft.parts.length === 1) return
    const table = open.rows.finish()
    open.draft.table = table
    const { stray } = open.rows
    open.draft.text = [tableText(table), ...stray].join('\n')
    open.draft.markdown = [tableToMarkdown(table), ...stray.map((text) => escapeMarkdown(text))].join('\n\n')
  }

  #closeAll(): void {
    this.#text = undefined
    this.#note = undefined
    this.#closeTable()
  }

  async #release(): Promise<void> {
    const open = new Set([this.#text?.draft, this.#note, this.#table?.draft])
    let count = this.#waiting.findIndex((draft) => open.has(draft))
    if (count < 0) count = this.#waiting.length
    if (count === 0) return
    const leaving = this.#waiting.slice(0, count)
    this.#waiting = this.#waiting.slice(count)
    for (const draft of leaving) {
      if (draft.parent !== undefined) draft.parent = this.#absorbed.get(draft.parent) ?? draft.parent
      await this.#leave(draft)
    }
    if (this.#waiting.length === 0) this.#absorbed.clear()
  }
}
