import { furnitureKinds } from '../../../schema/block-kind.ts'
import type { DocumentBlock } from '../../../schema/document.ts'
import type { OutputSink, WritableTextFile } from '../../../store/output-sink.ts'
import { type Draft, isHidden } from '../flow/draft.ts'
import { withoutMark } from '../flow/tie-footnotes.ts'
import { blockMarkdown, markerWidth } from './markdown-block.ts'
import type { AssembledBlock, OutputWriter } from './output-writer.ts'

/** Notes of one page held back until its text ends. */
const maxHeldNotes = 500

/**
 * document.md: the text in reading order, without furniture and hidden text. Notes stand after the text of
 * their page, those of a picture or table where it stands; those that the text refers to become Markdown footnotes.
 */
export class MarkdownWriter implements OutputWriter {
  readonly #file: WritableTextFile
  #notes: { readonly page: number; readonly markdown: string }[] = []
  /** Widths of the open list levels' markers, to indent what is nested in them. */
  #indents: number[] = []
  #afterListItem = false
  #empty = true

  constructor(sink: OutputSink) {
    this.#file = sink.stream('document.md')
  }

  async begin(): Promise<void> {}

  async block({ draft, block }: AssembledBlock): Promise<void> {
    if (!block || furnitureKinds.has(block.kind) || isHidden(draft)) return
    if (this.#notes.length >= maxHeldNotes || (this.#notes[0] && block.page > this.#notes[0].page)) await this.#writeNotes()
    if (block.kind === 'footnote' && !isOfBody(draft)) this.#notes.push({ page: block.page, markdown: noteMarkdown(draft, block) })
    else await this.#write(withReferences(blockMarkdown(block), draft), block)
  }

  async end(): Promise<readonly string[]> {
    await this.#writeNotes()
    await this.#file.write(this.#empty ? '' : '\n')
    await this.#file.close()
    return ['document.md']
  }

  abandon(): Promise<void> {
    return this.#file.discard()
  }

  async #write(markdown: string, block: DocumentBlock): Promise<void> {
    if (markdown.trim() === '') return
    const isItem = block.kind === 'list_item'
    const text = isItem ? this.#indented(markdown, block) : markdown
    if (!isItem) this.#indents = []
    await this.#paragraph(text, isItem && this.#afterListItem)
    this.#afterListItem = isItem
  }

  #indented(markdown: string, block: DocumentBlock): string {
    const depth = Math.min(block.depth ?? 0, this.#indents.length)
    this.#indents.length = depth
    const indent = ' '.repeat(this.#indents.reduce((sum, width) => sum + width, 0))
    const own = markerWidth(markdown)
    this.#indents.push(own)
    return markdown
      .split('\n')
      .map((line, i) => (i === 0 ? indent : indent + ' '.repeat(own)) + line)
      .join('\n')
  }

  async #writeNotes(): Promise<void> {
    const notes = this.#notes
    this.#notes = []
    for (const { markdown } of notes) await this.#paragraph(markdown, false)
    if (notes.length > 0) this.#afterListItem = false
  }

  async #paragraph(text: string, tight: boolean): Promise<void> {
    await this.#file.write(this.#empty ? text : `${tight ? '\n' : '\n\n'}${text}`)
    this.#empty = false
  }
}

/** Notes that a model found at a picture or table stand with it. */
const isOfBody = ({ parent, origin }: Readonly<Draft>): boolean => parent !== undefined && origin.noteOf === 'body'

function noteMarkdown(draft: Readonly<Draft>, block: DocumentBlock): string {
  const markdown = block.markdown.trim()
  return draft.note === undefined ? markdown : `[^${draft.note}]: ${withoutMark(markdown).replace(/\n+/g, ' ')}`
}

/** Puts Markdown references in place of the raised marks. */
function withReferences(markdown: string, draft: Readonly<Draft>): string {
  let text = markdown
  for (const { mark, number } of draft.references) text = text.replace(mark, () => `[^${number}]`)
  return text
}
