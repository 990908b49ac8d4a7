import type { DocumentBlock } from '../../../schema/document.ts'
import { fenceFor } from '../../../text/markdown-escape.ts'
import { formulaBlock } from '../../../text/markdown-formula.ts'
import { formulaMarkdown } from '../../formula-markdown.ts'
import { tableToMarkdown } from '../../table-markdown.ts'
import { isByModel } from '../flow/draft.ts'

/** Markdown of one block, without a line break at the end; empty for a block without content. List items without indent. */
export function blockMarkdown(block: DocumentBlock): string {
  switch (block.kind) {
    case 'heading':
      return block.text.trim() === '' ? '' : `${'#'.repeat(block.level ?? 1)} ${oneLine(block.markdown || block.text)}`
    case 'table':
      return (
        block.markdown.trim() || (block.table && block.table.cells.length > 0 ? tableToMarkdown(block.table, { formulas: isByModel(block) }) : picture(block))
      )
    case 'figure':
    case 'chart':
    case 'stamp':
      return [picture(block), pictureContent(block) || (block.image ? '' : block.markdown.trim())].filter((s) => s !== '').join('\n\n')
    case 'formula':
      return formula(block)
    case 'code':
    case 'algorithm':
      return code(block)
    case 'list_item':
      return listItem(block)
    default:
      return block.markdown.trim() || picture(block)
  }
}

const oneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ').trim()

const picture = ({ image }: DocumentBlock): string =>
  image ? `![${image.alt.replace(/[[\]\n]/g, ' ').trim()}](${image.path.replace(/[\s()<>]/g, encodeURIComponent)})` : ''

function formula(block: DocumentBlock): string {
  if (block.latex !== undefined) return formulaBlock(block.latex) || picture(block)
  return picture(block) || block.markdown.trim()
}

/**
 * What a model says of a picture beyond its description: the data of a chart as a table, a flowchart as Mermaid, a description that is not the picture's
 * own. Empty for pictures that no model described.
 */
export function pictureContent(block: Pick<DocumentBlock, 'source' | 'text' | 'table' | 'language' | 'image'>): string {
  const { text, table, language, image } = block
  if (!isByModel(block) || text.trim() === '') return ''
  if (table) return tableToMarkdown({ ...table, headerRows: 1 }, { formulas: true })
  if (language !== undefined) return fenced(text, language)
  return image?.alt === text.replace(/\s+/gu, ' ').trim() ? '' : formulaMarkdown(text)
}

/** What is fenced already stays as it is. */
function code(block: DocumentBlock): string {
  if (/^\s*(?:```|~~~)/.test(block.markdown)) return block.markdown.trim()
  if (block.text.trim() === '') return picture(block)
  return fenced(block.text, block.language ?? '')
}

function fenced(code: string, language: string): string {
  const fence = fenceFor(code)
  return `${fence}${language}\n${code.trimEnd()}\n${fence}`
}

const markdownMarker = /^(?:-(?: \[[ x]\])?|\d{1,9}[.)])(?=\s|$)/

/** An item's Markdown begins with its marker; where a reader gave the bare text, the printed marker stands behind a dash. */
function listItem(block: DocumentBlock): string {
  const markdown = block.markdown.trim()
  if (markdown === '' || markdownMarker.test(markdown)) return markdown
  const marker = block.marker?.trim() ?? ''
  return marker === '' || markdown.startsWith(marker) ? `- ${markdown}` : `- ${marker} ${markdown}`
}

/** Columns by which what is nested in an item is indented: the width of its marker and a blank. */
export function markerWidth(itemMarkdown: string): number {
  const marker = /^(?:-|\d{1,9}[.)])/.exec(itemMarkdown)?.[0] ?? '-'
  return marker.length + 1
}
