import type { BlockKind, BlockSource } from '../../schema/block-kind.ts'
import { furnitureKinds } from '../../schema/block-kind.ts'
import type { BlockLine, LayoutLine, Look, PageBlock } from '../../schema/page.ts'
import type { BlockContent as ModelContent } from '../../schema/vlm-block.ts'
import type { JoinOptions } from '../../text/join-lines.ts'
import { listMarker } from '../../text/list-marker.ts'
import { escapeMarkdown, fenceFor } from '../../text/markdown-escape.ts'
import { isRightToLeft } from '../../text/script.ts'
import { tableText } from '../../text/table-text.ts'
import { formulaMarkdown } from '../formula-markdown.ts'
import { modelMarkdown } from '../model-markdown.ts'
import { modelTable } from '../model-table.ts'
import { tableToMarkdown } from '../table-markdown.ts'
import { codeText } from './lines/code-text.ts'
import { flowText, printed } from './lines/flow-text.ts'
import type { ReadLine } from './lines/read-line.ts'
import { plainText, withoutSoftHyphens } from './lines/soft-hyphens.ts'
import { inlineMarkdown } from './markdown/inline-markdown.ts'
import { itemText, listItemMarkdown, markdownMarker } from './markdown/list-item-markdown.ts'
import type { ReadBlock } from './read-block.ts'
import { type LineSources, meanConfidence, readLine } from './read-blocks.ts'
import { readTable } from './table/read-table.ts'

/** What the blocks of a page are finished with. */
export interface Finishing {
  readonly sources: LineSources
  readonly links: readonly (string | undefined)[]
  readonly join: JoinOptions
}

/** What a block says, in the forms that the page result holds. */
export type BlockContent = Pick<PageBlock, 'text' | 'markdown' | 'marker' | 'table' | 'hyphens' | 'latex' | 'language' | 'subKind'>

/** Text and Markdown of a block by its kind. A picture's Markdown is made when its file is cut. */
export function blockContent(block: ReadBlock, finishing: Finishing): BlockContent {
  const { layout, said } = block
  if (said) return saidContent(said)
  // What a one-pass reader gives is Markdown already; the value of a form field is plain text.
  if (layout.content !== undefined) {
    return { text: layout.content, markdown: block.kind === 'form_field' ? escapeMarkdown(layout.content) : layout.content }
  }
  switch (block.kind) {
    case 'table':
      return layout.table ? tableContent(block, finishing) : running(block, finishing)
    case 'code':
    case 'algorithm': {
      const code = codeText(block.lines)
      const fence = fenceFor(code)
      return { text: code, markdown: code === '' ? '' : `${fence}\n${code}\n${fence}` }
    }
    case 'figure':
    case 'chart':
    case 'stamp': {
      const text = block.lines.map((line) => printed(line.text)).join('\n')
      return { text, markdown: '' }
    }
    case 'list_item':
      return listItem(block, finishing)
    default:
      return running(block, finishing)
  }
}

function saidContent(said: ModelContent): BlockContent {
  const { text, table, latex, language, subKind } = said
  const own = table && modelTable(table)
  return {
    ...{ text, markdown: modelMarkdown(said) },
    ...(said.kind === 'list_item' && saidItem(text)),
    ...(own && { table: own }),
    ...(latex !== undefined && { latex }),
    ...(language !== undefined && { language }),
    ...(subKind !== undefined && { subKind }),
  }
}

/** The marker that a model wrote with an item. */
function saidItem(text: string): Pick<BlockContent, 'marker' | 'markdown'> {
  const item = listMarker(text)
  if (!item) return { markdown: `- ${formulaMarkdown(text.trim())}` }
  return { marker: item.marker, markdown: `${markdownMarker(item.marker)} ${formulaMarkdown(item.rest)}`.trimEnd() }
}

function running(block: ReadBlock, { links, join }: Finishing): BlockContent {
  if (block.kind === 'text' && block.layout.brokenByHand) return verses(block.lines, links)
  const { text, spans } = flowText(block.lines, join)
  const plain = block.kind === 'heading' || furnitureKinds.has(block.kind)
  return withoutSoftHyphens(text, inlineMarkdown(spans, { links, plain }))
}

/** Line under line, as printed. */
function verses(lines: readonly ReadLine[], links: Finishing['links']): BlockContent {
  const shown = lines.map((line) => flowText([line]))
  return { text: shown.map(({ text }) => text).join('\n'), markdown: shown.map(({ spans }) => inlineMarkdown(spans, { links })).join('\\\n') }
}

function listItem(block: ReadBlock, { links, join }: Finishing): BlockContent {
  const { text, spans } = flowText(block.lines, join)
  const item = itemText(text, spans, block.marker)
  // An item whose marker is a drawing, or nothing: the layout knows it by its place.
  if (!item) return withoutSoftHyphens(text, `- ${inlineMarkdown(spans, { links })}`.trimEnd())
  return { ...withoutSoftHyphens(item.text, listItemMarkdown(item, { links })), marker: item.marker }
}

function tableContent(block: ReadBlock, { sources, join }: Finishing): BlockContent {
  const layout = block.layout.table
  if (!layout) return { text: '', markdown: '' }
  const textOfLines = (lines: readonly LayoutLine[]): string =>
    plainText(
      flowText(
        lines.flatMap((line) => readLine(line, sources) ?? []),
        join,
      ).text,
    )
  const table = readTable(layout, textOfLines)
  // Words in the table's box that no cell took stand below it rather than nowhere.
  const stray = block.lines.map((line) => printed(line.text)).join(' ')
  const markdown = tableToMarkdown(table)
  return {
    text: [tableText(table), stray].filter((part) => part !== '').join('\n'),
    markdown: stray === '' ? markdown : `${markdown}\n\n${escapeMarkdown(stray)}`,
    table,
  }
}

/** A page block, but for its picture. */
export function pageBlock(identity: Pick<PageBlock, 'id' | 'page' | 'order'>, block: ReadBlock, content: BlockContent, look: Look | undefined): PageBlock {
  const { layout, kind, flags } = block
  const source = sourceOf(block, content)
  const made: PageBlock = {
    id: identity.id,
    page: identity.page,
    order: identity.order,
    kind,
    box: layout.box,
    angle: layout.angle,
    text: content.text,
    markdown: flags.has('hidden-text') ? '' : content.markdown,
    lines: block.lines.map(blockLine),
    source,
    flags: [...flags],
  }
  if (look) made.look = look
  if (layout.level !== undefined && kind === 'heading') made.level = layout.level
  const marker = content.marker ?? block.marker
  if (marker) made.marker = marker
  if (block.depth !== undefined) made.depth = block.depth
  if (layout.vertical) made.writingMode = 'vertical'
  if (layout.rightToLeft || (source === 'ocr' && isRightToLeft(content.text))) made.direction = 'rtl'
  const confidence = layout.confidence ?? meanConfidence(block.lines)
  if (confidence !== undefined) made.confidence = Math.min(1, Math.max(0, confidence))
  if (content.table) made.table = content.table
  if (content.latex !== undefined) made.latex = content.latex
  if (content.language !== undefined) made.language = content.language
  if (content.subKind !== undefined) made.subKind = content.subKind
  if (layout.model?.continues) made.continues = true
  const noteOf = kind === 'footnote' && layout.model ? noteOwner(layout.model.type) : undefined
  if (noteOf) made.noteOf = noteOf
  if (content.hyphens && !flags.has('hidden-text')) made.hyphens = content.hyphens
  return made
}

/** All families name notes after what they belong to. */
const noteOwner = (type: string): PageBlock['noteOf'] => (type === 'page_footnote' ? 'page' : type.endsWith('_footnote') ? 'body' : undefined)

function blockLine({ box, text, confidence }: ReadLine): BlockLine {
  return confidence === undefined ? { box, text: printed(text) } : { box, text: printed(text), confidence: Math.round(confidence * 1000) / 1000 }
}

/** Where the content came from: the source of most of it, `none` where there is none. */
function sourceOf(block: ReadBlock, content: BlockContent): BlockSource {
  const { layout } = block
  if (block.said) return block.said.text === '' && !block.said.table ? 'none' : ((layout.source as BlockSource | undefined) ?? 'none')
  if (layout.content !== undefined) return (layout.source as BlockSource | undefined) ?? 'none'
  if (content.text === '') return 'none'
  if (layout.table && block.lines.length === 0) return tableSource(layout.table.cells.flatMap((cell) => cell.lines))
  let [read, all] = [0, 0]
  for (const line of block.lines) {
    all += line.text.length
    if (line.confidence !== undefined) read += line.text.length
  }
  return read * 2 > all ? 'ocr' : 'text-layer'
}

const tableSource = (lines: readonly LayoutLine[]): BlockSource =>
  lines.filter((line) => line.region !== undefined).length * 2 > lines.length ? 'ocr' : 'text-layer'

/** Kinds that are shown as a picture of their place. */
export const picturedKinds: ReadonlySet<BlockKind> = new Set(['figure', 'chart', 'stamp', 'formula'])
