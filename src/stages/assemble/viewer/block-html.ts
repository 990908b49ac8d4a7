import type { DocumentBlock } from '../../../schema/document.ts'
import type { Table } from '../../../schema/page.ts'
import { escapeHtml } from './escape-html.ts'

/** One block as an article of the text pane. Everything that comes from the document is text, never markup. */
export function blockHtml(block: DocumentBlock): string {
  const places = block.parts ?? [{ page: block.page, box: block.box }]
  const at = places.map(({ page, box }) => `${page}:${box.join(',')}`).join(';')
  const hidden = block.flags.includes('hidden-text')
  const direction = block.direction === 'rtl' ? ' dir="rtl"' : ''
  return `<article id="b-${escapeHtml(block.id)}" class="block k-${block.kind}${hidden ? ' hidden-text' : ''}" data-kind="${block.kind}" data-at="${at}"${direction}>${content(block)}${facts(block)}</article>\n`
}

function content(block: DocumentBlock): string {
  if (block.table) return tableHtml(block.table)
  const picture = block.image ? imageHtml(block) : ''
  if (block.kind === 'heading') {
    const level = Math.min(6, (block.level ?? 2) + 1)
    return `<h${level}>${text(block)}</h${level}>`
  }
  if (block.kind === 'code' || block.kind === 'algorithm') return `<pre><code>${escapeHtml(block.text)}</code></pre>`
  return picture + (block.text.trim() === '' ? '' : `<p>${text(block)}</p>`)
}

const text = (block: DocumentBlock): string => `<bdi>${escapeHtml(block.text)}</bdi>`

function imageHtml({ image, text: words }: DocumentBlock): string {
  if (!image) return ''
  const alt = image.alt || words.slice(0, 200)
  return `<img class="cut" src="${escapeHtml(image.path)}" width="${image.widthPx}" height="${image.heightPx}" alt="${escapeHtml(alt)}" loading="lazy">`
}

function tableHtml(table: Table): string {
  const rows: string[][] = Array.from({ length: table.rows }, () => [])
  for (const cell of table.cells) {
    const tag = cell.header && cell.text !== '' ? 'th' : 'td' // an empty header names nothing
    const spans = (cell.rowSpan > 1 ? ` rowspan="${cell.rowSpan}"` : '') + (cell.columnSpan > 1 ? ` colspan="${cell.columnSpan}"` : '')
    rows[cell.row]?.push(`<${tag}${spans}><bdi>${escapeHtml(cell.text)}</bdi></${tag}>`)
  }
  return `<div class="table"><table>${rows.map((row) => `<tr>${row.join('')}</tr>`).join('')}</table></div>`
}

/** Where the content came from, how sure it is, what to beware of. */
function facts({ kind, source, confidence, flags, page, parts }: DocumentBlock): string {
  const pages = [...new Set((parts ?? [{ page }]).map((part) => part.page + 1))]
  const all = [
    kind.replaceAll('_', ' '),
    `page ${pages.join(', ')}`,
    source,
    ...(confidence === undefined ? [] : [`${Math.round(confidence * 100)} %`]),
    ...flags,
  ]
  return `<p class="facts">${escapeHtml(all.join(' · '))}</p>`
}
