import { type BlockKind, furnitureKinds } from '../../../schema/block-kind.ts'
import type { PageResult } from '../../../schema/page.ts'
import type { JoinOptions } from '../../../text/join-lines.ts'
import { escapeMarkdown } from '../../../text/markdown-escape.ts'
import { tableText } from '../../../text/table-text.ts'
import { formulaMarkdown } from '../../formula-markdown.ts'
import { tableToMarkdown } from '../../table-markdown.ts'
import type { CellMerger } from './cell-merger.ts'
import { type Draft, isByModel, isHidden } from './draft.ts'
import { absorbText } from './join-text.ts'
import { goesOnByModel } from './model-joins.ts'
import { OpenTable } from './open-table.ts'
import { goesOn, isJoinable } from './paragraph-joins.ts'
import { isContinuationCaption, tableGoesOn } from './table-joins.ts'
import { hasMark } from './tie-footnotes.ts'

/** Beside the text: neither breaks a paragraph nor a table. */
const besides: ReadonlySet<BlockKind> = new Set([...furnitureKinds, 'footnote', 'aside', 'stamp'])
const floats: ReadonlySet<BlockKind> = new Set(['figure', 'chart', 'table', 'caption'])
/** Stands within a text or between two: only a model can tell. */
const code: ReadonlySet<BlockKind> = new Set(['code', 'algorithm'])

/** A broken paragraph is sought over so many pages (full-page figures between), and so many blocks wait at most. */
const maxPagesOpen = 4
const maxWaiting = 20_000

interface TableInFlow {
  readonly draft: Draft
  readonly rows: OpenTable
  readonly captions: string[]
  /** The page on which a caption says that it goes on. */
  continuedOn: number | undefined
}

export interface FlowOptions {
  readonly spelling: JoinOptions
  /** For rows of tables that models read. */
  readonly cells?: CellMerger | undefined
  /** Ends what is asked. */
  readonly signal: AbortSignal
}

/**
 * The drafts of a document as one stream: joins what columns and pages broke, and lets a block go as soon as
 * nothing can join it any more. Blocks leave in reading order, absorbed ones too, so that nothing is lost from sight.
 */
export class Flow {
  readonly #options: FlowOptions
  readonly #leave: (draft: Draft) => Promise<void>
  #waiting: Draft[] = []
  /** Of the page that is taken in. */
  #drafts: readonly Draft[] = []
  #text: { readonly draft: Draft; floats: boolean; code: boolean } | undefined
  #note: Draft | undefined
  #table: TableInFlow | undefined
  #lastPage: number | undefined
  /** Tables that went on and are to be put together before they leave. */
  readonly #joined = new Map<Draft, OpenTable>()
  readonly #absorbed = new Map<string, string>()

  constructor(options: FlowOptions, leave: (draft: Draft) => Promise<void>) {
    this.#options = options
    this.#leave = leave
  }

  /** The next page, in order; nothing is joined over a page that failed or was not asked for. */
  async page(page: PageResult, drafts: readonly Draft[]): Promise<void> {
    if (page.status === 'failed' || (this.#lastPage !== undefined && page.index !== this.#lastPage + 1)) this.#closeAll()
    this.#lastPage = page.index
    if (this.#text && page.index - (this.#text.draft.parts.at(-1)?.page ?? 0) > maxPagesOpen) this.#text = undefined
    if (this.#note && page.index - (this.#note.parts.at(-1)?.page ?? 0) > 1) this.#note = undefined
    if (this.#table && page.index - (this.#table.draft.parts.at(-1)?.page ?? 0) > 1) this.#closeTable()
    this.#drafts = drafts
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
    if (code.has(draft.kind) && this.#text) this.#text.code = true
    else if (!isJoinable(draft)) this.#text = undefined
    else this.#takeText(draft)
  }

  #takeText(draft: Draft): void {
    const open = this.#text
    if (open && ((!open.code && goesOn(open.draft, draft, { floats: open.floats })) || goesOnByModel(open.draft, draft))) {
      absorbText(open.draft, draft, this.#options.spelling)
      this.#absorbed.set(draft.origin.id, open.draft.origin.id)
      this.#text = { draft: open.draft, floats: false, code: false }
    } else this.#text = { draft, floats: false, code: false }
  }

  #takeNote(draft: Draft): void {
    const open = this.#note
    if (open && !hasMark(draft) && goesOn(open, draft, { floats: false })) {
      absorbText(open, draft, this.#options.spelling)
      this.#absorbed.set(draft.origin.id, open.origin.id)
    } else this.#note = draft
  }

  #takeTable(draft: Draft): void {
    const open = this.#table
    const table = draft.origin.table
    const byModel = isByModel(draft.origin)
    const continuation =
      open && tableGoesOn(open.draft, open.rows, draft, { continued: open.continuedOn === draft.page.index, notes: this.#notesOf(open.draft) })
    if (!open || !table || !continuation) {
      this.#closeTable()
      const rows = table && table.rows > 0 ? new OpenTable(table, draft.text, byModel) : undefined
      this.#table = rows && { draft, rows, captions: [], continuedOn: undefined }
      return
    }
    const { cells, signal } = this.#options
    open.rows.append(table, draft.text, continuation, cells && byModel ? (above, below) => cells.merge(above, below, signal) : undefined)
    open.draft.parts.push({ page: draft.page.index, box: draft.origin.box, from: 0 })
    open.draft.tail = draft.origin
    for (const flag of draft.flags) open.draft.flags.add(flag)
    open.draft.flags.add('merged')
    draft.absorbedBy = open.draft.origin.id
    this.#absorbed.set(draft.origin.id, open.draft.origin.id)
  }

  /** Notes of the table's last part. */
  #notesOf({ tail }: Draft): number {
    return this.#waiting.filter((d) => d.kind === 'footnote' && d.parent === tail.id).length
  }

  /** A caption of the open table itself, one that says that it goes on or stands with one that does, or one below the table that may be its rest. */
  #keepsTable(caption: Draft): boolean {
    const open = this.#table
    if (!open) return false
    const { index } = caption.page
    if (index === open.draft.parts.at(-1)?.page) {
      if (caption.parent !== open.draft.tail.id) return false
      open.captions.push(caption.text)
      return true
    }
    const above = [...open.captions, ...this.#captionsOf(open.draft)]
    const [body, ...beside] = [
      caption.parent === undefined ? undefined : this.#drafts.find((d) => d.origin.id === caption.parent),
      ...this.#captionsBeside(caption),
    ]
    if ([caption, ...beside].some(({ text }) => isContinuationCaption(text, above))) {
      open.continuedOn = index
      return true
    }
    return body !== undefined && caption.origin.box[1] >= body.origin.box[3]
  }

  #captionsOf(table: Draft): string[] {
    return this.#waiting.filter((d) => d.kind === 'caption' && d.parent === table.origin.id).map((d) => d.text)
  }

  /** Captions of the same body. */
  #captionsBeside({ parent }: Draft): Draft[] {
    return parent === undefined ? [] : this.#drafts.filter((d) => d.kind === 'caption' && d.parent === parent)
  }

  #closeTable(): void {
    const open = this.#table
    this.#table = undefined
    if (open && open.draft.parts.length > 1) this.#joined.set(open.draft, open.rows)
  }

  async #putTogether(draft: Draft, rows: OpenTable): Promise<void> {
    this.#joined.delete(draft)
    const { table, starts } = await rows.finish()
    draft.table = table
    for (const [i, part] of draft.parts.entries()) draft.parts[i] = { ...part, from: starts[i] ?? 0 }
    draft.text = [tableText(table), ...rows.stray].join('\n')
    const formulas = isByModel(draft.origin)
    const stray = rows.stray.map((text) => (formulas ? formulaMarkdown(text) : escapeMarkdown(text)))
    draft.markdown = [tableToMarkdown(table, { formulas }), ...stray].join('\n\n')
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
      const rows = this.#joined.get(draft)
      if (rows) await this.#putTogether(draft, rows)
      await this.#leave(draft)
    }
    if (this.#waiting.length === 0) this.#absorbed.clear()
  }
}
