import { furnitureKinds } from '../../../schema/block-kind.ts'
import type { DocumentBlock } from '../../../schema/document.ts'
import type { Image } from '../../../schema/page.ts'
import { escapeHtml, paragraphHtml, textHtml } from './escape-html.ts'
import { flagsHtml, kindLabels } from './kind-labels.ts'
import { tableHtml } from './table-html.ts'

/** Deepest list level that is drawn deeper than the one before. */
const deepestIndent = 3

export const anchorOf = (id: string): string => `b-${id}`

/** Address of a block within the page, quoted for an attribute. */
export const hrefOf = (id: string): string => `#${encodeURIComponent(anchorOf(id))}`

/** Pages that hold a part of the block, 0-based, ascending. */
export const pagesOf = ({ page, parts }: DocumentBlock): number[] => [...new Set([page, ...(parts ?? []).map((part) => part.page)])].sort((a, b) => a - b)

/**
 * One block as an article of the text. Everything that comes from the document is text, never markup.
 * `headingLevel` (3 to 6) is that of the HTML heading, which must not leave levels out.
 */
export function blockHtml(block: DocumentBlock, headingLevel: number): string {
  const { id, kind, flags } = block
  const names = ['block', `k-${kind}`, ...(furnitureKinds.has(kind) ? ['furniture'] : []), ...(flags.includes('hidden-text') ? ['hidden-text'] : [])]
  const pages = pagesOf(block).map((page) => page + 1)
  return `<article class="${names.join(' ')}" id="${escapeHtml(anchorOf(id))}" tabindex="-1" data-kind="${kind}" data-pages="${pages.join(' ')}" aria-label="${kindLabels[kind]}">
<div class="what"><a class="kind" href="${hrefOf(id)}" tabindex="-1">${kindName(block)}</a>${facts(block, pages)}</div>
<div class="says">${flagsHtml(flags)}${content(block, headingLevel)}</div>
</article>
`
}

const kindName = ({ kind, level }: DocumentBlock): string => kindLabels[kind] + (kind === 'heading' && level !== undefined ? ` ${level}` : '')

/** Where the content came from, how sure the reader was, where it goes on, what it belongs to. */
function facts({ source, confidence, parent }: DocumentBlock, pages: readonly number[]): string {
  const from = source === 'text-layer' ? 'text layer' : source === 'ocr' ? 'OCR' : source === 'none' ? '' : source.replace(/^vlm:/, '')
  const parts = [
    ...(from === '' ? [] : [escapeHtml(from)]),
    ...(confidence === undefined ? [] : [`${Math.floor(confidence * 100)} % sure`]),
    ...(pages.length > 1 ? [`pages ${pages.join(', ')}`] : []),
    ...(parent === undefined ? [] : [`<a href="${hrefOf(parent)}" tabindex="-1">belongs to ↗</a>`]),
  ]
  return parts.map((part) => `<span class="fact">${part}</span>`).join('')
}

function content(block: DocumentBlock, headingLevel: number): string {
  const { kind, text, table, image, latex, depth, marker, direction = 'auto' } = block
  const picture = image ? imageHtml(image) : ''
  if (table) return tableHtml(table) + picture
  if (latex !== undefined) return `${picture}<pre><code>${textHtml(latex)}</code></pre>`
  if (text.trim() === '') return picture || '<p class="none">No text.</p>'
  if (kind === 'heading' && text.length < 2000) return `<h${headingLevel} class="text" dir="${direction}">${textHtml(text)}</h${headingLevel}>${picture}`
  if (kind === 'code' || kind === 'algorithm') return `<pre><code>${textHtml(text)}</code></pre>${picture}`
  const indent = kind === 'list_item' && depth ? ` d${Math.min(depth, deepestIndent)}` : ''
  const marked = marker && !text.startsWith(marker) ? `${marker} ${text}` : text
  return picture + paragraphHtml(marked, `text${indent}`, direction)
}

/** A picture beside the file. Only a plain relative path is shown: nothing that a document says may name another place. */
function imageHtml({ path, widthPx, heightPx, alt }: Image): string {
  const src = pictureAddress(path)
  if (src === undefined) return ''
  return `<img class="cut" src="${src}" width="${widthPx}" height="${heightPx}" alt="${escapeHtml(alt.slice(0, 500))}" loading="lazy" decoding="async">`
}

export function pictureAddress(path: string): string | undefined {
  const parts = path.split('/')
  const plain = parts.every((part) => part !== '' && part !== '..' && part !== '.')
  return plain ? parts.map(encodeURIComponent).join('/') : undefined
}
