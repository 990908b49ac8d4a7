import type { DocumentBlock, DocumentPage } from '../../../schema/document.ts'
import type { Box } from '../../../schema/geometry.ts'
import { anchorOf, hrefOf, pictureAddress } from './block-html.ts'
import { escapeHtml } from './escape-html.ts'
import { flagLabels, kindLabels } from './kind-labels.ts'

/** A picture of a page beside document.html. */
export interface PagePicture {
  readonly path: string
  readonly width: number
  readonly height: number
}

/** A place of a block on a page. */
export interface PlacedBlock {
  readonly block: DocumentBlock
  readonly box: Box
}

const textSources = { 'text-layer': 'text layer', ocr: 'OCR', vlm: 'vision model', mixed: 'text layer and OCR', none: 'no text' } as const

/** The beginning of a page: its name and, until `pageEnd`, its blocks. */
export function pageStart(page: DocumentPage, begunBefore: readonly DocumentBlock[]): string {
  const number = page.index + 1
  const facts = [
    ...(page.label && page.label !== String(number) ? [`printed ${page.label}`] : []),
    ...(page.status === 'failed' ? ['failed'] : [textSources[page.textSource]]),
    ...(page.angle === 0 ? [] : [`turned by ${page.angle}°`]),
    ...page.flags.map((flag) => flagLabels[flag].label),
    ...(page.lostWords > 0 ? [`${page.lostWords} words in no block`] : []),
  ]
  return `<section class="page" id="p-${number}" data-page="${number}" aria-labelledby="n-${number}">
<h2 id="n-${number}">Page ${number} <span class="page-facts"><bdi>${escapeHtml(facts.map((fact) => `· ${fact}`).join(' '))}</bdi></span></h2>
<div class="blocks">
${failureHtml(page)}${begunBefore.map(continuedHtml).join('')}`
}

const failureHtml = ({ failure }: DocumentPage): string => (failure ? `<p class="failure">${escapeHtml(`${failure.code}: ${failure.message}`)}</p>\n` : '')

const continuedHtml = (block: DocumentBlock): string =>
  `<p class="continued">${kindLabels[block.kind]} from page ${block.page + 1} goes on here: <a href="${hrefOf(block.id)}" data-for="${escapeHtml(anchorOf(block.id))}"><bdi>${escapeHtml(startOf(block))}</bdi></a></p>\n`

/** The end of a page: its picture with a box over every block. */
export function pageEnd(page: DocumentPage, picture: PagePicture | undefined, placed: readonly PlacedBlock[], empty: boolean): string {
  const { width, height } = page
  const src = picture && pictureAddress(picture.path)
  const image = src
    ? `<img src="${src}" width="${picture.width}" height="${picture.height}" alt="Page ${page.index + 1}" loading="lazy" decoding="async">`
    : '<p class="no-picture">There is no picture of this page.</p>'
  const none = empty && page.status === 'ok' ? '<p class="none">This page holds no text.</p>\n' : ''
  const ratio = height > 0 ? width / height : 1
  return `${none}</div>
<figure><div class="sheet" data-ratio="${ratio.toFixed(4)}">${image}
<svg viewBox="0 0 ${width} ${height}" role="group" aria-label="Places of the blocks of page ${page.index + 1}">
${placed.map((place) => boxHtml(place, width, height)).join('\n')}
</svg></div></figure>
</section>
`
}

/** A link over the picture, out of the tab order: the text has the same blocks. */
function boxHtml({ block, box: [x0, y0, x1, y1] }: PlacedBlock, width: number, height: number): string {
  const at = (fraction: number, size: number) => (fraction * size).toFixed(1)
  return `<a class="box k-${block.kind}" href="${hrefOf(block.id)}" data-for="${escapeHtml(anchorOf(block.id))}" tabindex="-1"><title>${escapeHtml(`${kindLabels[block.kind]}: ${startOf(block)}`)}</title><rect x="${at(x0, width)}" y="${at(y0, height)}" width="${at(x1 - x0, width)}" height="${at(y1 - y0, height)}" rx="1.5"/></a>`
}

/** The first words of a block, without characters that could turn what stands around them. */
function startOf({ text }: DocumentBlock): string {
  const start = text
    .slice(0, 80)
    .replace(/[\p{Cf}\s]+/gu, ' ')
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
  return text.length > 80 ? `${start} …` : start
}
