import { createHash } from 'node:crypto'
import type { DocumentPage } from '../../../schema/document.ts'
import type { DocumentHead } from '../writers/output-writer.ts'
import { escapeHtml } from './escape-html.ts'
import { viewerScript } from './viewer-script.ts'
import { viewerStyle } from './viewer-style.ts'

/** A picture of a page beside document.html. */
export interface PagePicture {
  readonly path: string
  readonly width: number
  readonly height: number
}

const hashOf = (source: string): string => `'sha256-${createHash('sha256').update(source).digest('base64')}'`

/** Nothing is fetched from elsewhere, and nothing runs but the one script that is named by its hash. */
const policy = `default-src 'none'; img-src 'self' file: data:; style-src ${hashOf(viewerStyle)}; script-src ${hashOf(viewerScript)}; base-uri 'none'; form-action 'none'`

/** Everything up to the page pictures. */
export function viewerStart(head: DocumentHead): string {
  const title = escapeHtml(head.title ?? head.source.name)
  const failed = head.pages.filter((page) => page.status === 'failed').length
  const facts = [
    head.source.name,
    `${head.pages.length} ${head.pages.length === 1 ? 'page' : 'pages'}`,
    head.status,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...head.flags,
  ]
  const failure = head.failure ? `<p class="failure">${escapeHtml(`${head.failure.code}: ${head.failure.message}`)}</p>` : ''
  return `<!DOCTYPE html>
<html lang="${escapeHtml(head.metadata.language ?? 'und')}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${viewerStyle}</style>
</head>
<body>
<header>
<h1><bdi>${title}</bdi></h1>
<p><bdi>${escapeHtml(facts.join(' · '))}</bdi></p>${failure}
<fieldset id="kinds"><legend>Show</legend></fieldset>
<button type="button" id="show-help">Keys</button>
</header>
<section id="pages" aria-label="Page pictures" tabindex="0">
`
}

/** One page of the left pane. */
export function pageHtml(page: DocumentPage, picture: PagePicture | undefined): string {
  const number = page.index + 1
  const name = page.label && page.label !== String(number) ? `Page ${number} (printed ${page.label})` : `Page ${number}`
  const facts = [name, page.textSource, ...(page.angle === 0 ? [] : [`turned by ${page.angle}°`]), ...page.flags]
  return `<figure class="page" id="page-${page.index}" data-page="${page.index}">
<figcaption><bdi>${escapeHtml(facts.join(' · '))}</bdi></figcaption>
<div class="sheet">${sheet(page, picture, name)}</div>
</figure>
`
}

function sheet(page: DocumentPage, picture: PagePicture | undefined, name: string): string {
  if (page.failure) return `<p class="none failure">${escapeHtml(`${page.failure.code}: ${page.failure.message}`)}</p>`
  if (!picture) return '<p class="none">No picture of this page could be made.</p>'
  return `<img src="${escapeHtml(picture.path)}" width="${picture.width}" height="${picture.height}" alt="${escapeHtml(name)}" loading="lazy">`
}

/** Between the page pictures and the blocks. */
export const viewerMiddle = `</section>
<main id="text" tabindex="0" aria-label="Text">
`

/** After the last block. */
export const viewerEnd = `</main>
<dialog id="help" aria-labelledby="help-title">
<h2 id="help-title">Keys</h2>
<dl>
<dt>j, arrow down</dt><dd>next block</dd>
<dt>k, arrow up</dt><dd>block before</dd>
<dt>Enter</dt><dd>show the chosen block on its page</dd>
<dt>Escape</dt><dd>choose nothing</dd>
<dt>?</dt><dd>these keys</dd>
</dl>
<form method="dialog"><button>Close</button></form>
</dialog>
<script>${viewerScript}</script>
</body>
</html>
`
