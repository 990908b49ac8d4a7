import type { DocumentBlock } from '../../../schema/document.ts'
import { fenceFor } from '../../../text/markdown-escape.ts'
import { tableMarkdown } from '../flow/table-rendering.ts'

/** Markdown of one block, without a line break at the end; empty for a block without content. List items without indent. */
export function blockMarkdown(block: DocumentBlock): string {
  switch (block.kind) {
    case 'heading':
      return block.text.trim() === '' ? '' : `${'#'.repeat(block.level ?? 1)} ${oneLine(block.markdown || block.text)}`
    case 'table':
      return block.table && block.table.cells.length > 0 ? tableMarkdown(block.table) : block.markdown.trim() || picture(block)
    case 'figure':
    case 'chart':
    case 'stamp':
      return [picture(block), block.image ? '' : block.markdown.trim()].filter((s) => s !== '').join('\n\n')
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
  if (block.latex !== undefined) return `$$\n${block.latex.trim()}\n$$`
  return picture(block) || block.markdown.trim()
}

/** What is fenced already stays as it is. */
function code(block: DocumentBlock): string {
  if (/^\s*(?:```|~~~)/.test(block.markdown)) return block.markdown.trim()
  if (block.text.trim() === '') return picture(block)
  const fence = fenceFor(block.text)
  return `${fence}\n${block.text.replace(/\s+$/, '')}\n${fence}`
}

const bullet = /^(?:[-*+•‣◦▪▫■●○◆►▶▸➢➔→✓✔⁃∙·–—o]|\uf0b7|[\uf020-\uf0ff])$/u
const ordered = /^(\d{1,9})([.)])$/

/** The printed marker where Markdown knows it, else a bullet before the marker as printed. */
export function listMarkerMarkdown(marker: string | undefined): { readonly marker: string; readonly printed: string } {
  const sign = marker?.trim() ?? ''
  if (ordered.test(sign)) return { marker: sign, printed: '' }
  return { marker: '-', printed: sign === '' || bullet.test(sign) ? '' : `${sign} ` }
}

function listItem(block: DocumentBlock): string {
  const { marker, printed } = listMarkerMarkdown(block.marker)
  const sign = block.marker?.trim() ?? ''
  let body = block.markdown.trim()
  // The reader may have left the marker in the text, escaped or as a Markdown marker of its own.
  for (const form of [sign, sign.replace(/([.)])$/, '\\$1'), `\\${sign}`, '-', '*']) {
    if (form !== '' && body.startsWith(`${form} `)) {
      body = body.slice(form.length + 1).trimStart()
      break
    }
  }
  return `${marker} ${printed}${body}`
}
