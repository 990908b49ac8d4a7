import { createHash } from 'node:crypto'
import { type BlockKind, blockKinds } from '../../../schema/block-kind.ts'
import type { DocumentHead } from '../writers/output-writer.ts'
import { escapeHtml } from './escape-html.ts'
import { flagLabels, kindLabels } from './kind-labels.ts'
import { viewerScript, viewerStyle } from './viewer-assets.ts'

/** One rule a kind: what the filter hides. */
const style = viewerStyle + blockKinds.map((kind) => `.no-${kind} .k-${kind} { display: none }\n`).join('')

const hashOf = (source: string): string => `'sha256-${createHash('sha256').update(source).digest('base64')}'`

/** Nothing is fetched from elsewhere, and nothing runs but the one script that is named by its hash. `file:` is what `'self'` means for local files in some browsers. */
const policy = [
  "default-src 'none'",
  "img-src 'self' file: data:",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(viewerScript)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const count = (number: number, one: string): string => `${number.toLocaleString('en-US')} ${one}${number === 1 ? '' : 's'}`

/** Everything up to the first page. */
export function viewerStart(head: DocumentHead): string {
  const title = escapeHtml(head.title ?? head.source.name)
  const pages = head.pages.length
  const language = /^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{1,8})*$/.exec(head.metadata.language ?? '')?.[0] ?? 'und'
  return `<!DOCTYPE html>
<html lang="${language}" data-theme="auto">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<header class="bar">
<h1 lang="${language}"><bdi>${title}</bdi></h1>
<label class="go">Page <input id="page" type="number" min="1" max="${Math.max(1, head.pages.at(-1)?.index ?? 0) + 1}" value="${(head.pages[0]?.index ?? 0) + 1}"> of ${Math.max(pages, (head.pages.at(-1)?.index ?? 0) + 1)}</label>
<button type="button" popovertarget="contents">Contents</button>
<button type="button" popovertarget="kinds">Show</button>
<button type="button" id="zoom" aria-pressed="false">Zoom</button>
<button type="button" id="theme">Colours: auto</button>
<button type="button" id="show-help">Keys</button>
</header>
<main>
${aboutHtml(head)}`
}

/** What is known of the document as a whole. */
function aboutHtml({ source, status, pages, flags, failure, metadata, id, revision }: DocumentHead): string {
  const failed = pages.filter((page) => page.status === 'failed').length
  const line = [
    source.name,
    count(pages.length, 'page'),
    failed > 0 ? `${status}: ${count(failed, 'page')} failed` : status,
    ...flags.map((flag) => flagLabels[flag].label),
  ]
  const rows: [string, string][] = [
    ...Object.entries(metadata),
    ['type', source.mediaType],
    ['bytes', source.bytes.toLocaleString('en-US')],
    ['SHA-256', source.sha256],
    ['document', id],
    ['revision', revision],
  ]
  const list = rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd><bdi>${escapeHtml(value.slice(0, 2000))}</bdi></dd>`).join('\n')
  return `<details class="about"><summary><bdi>${escapeHtml(line.join(' · '))}</bdi></summary>
<dl>
${list}
</dl></details>
${failure ? `<p class="failure">${escapeHtml(`${failure.code}: ${failure.message}`)}</p>\n` : ''}`
}

/** An entry of the contents. `level` is 1 to 6. */
export interface ContentsEntry {
  readonly title: string
  readonly level: number
  readonly href: string
}

/** Everything after the last page. */
export function viewerEnd(contents: readonly ContentsEntry[], kinds: ReadonlyMap<BlockKind, number>): string {
  const blocks = [...kinds.values()].reduce((sum, number) => sum + number, 0)
  return `</main>
<nav id="contents" class="contents" aria-labelledby="contents-title" popover>
<h2 id="contents-title" class="panel-title">Contents</h2>
${contents.length === 0 ? '<p>The document has no headings.</p>' : `<ol>\n${contents.map(entryHtml).join('\n')}\n</ol>`}
</nav>
<aside id="kinds" class="kinds" aria-labelledby="kinds-title" popover>
<h2 id="kinds-title" class="panel-title">Kinds of block</h2>
<ul>
${blockKinds.map((kind) => kindHtml(kind, kinds.get(kind) ?? 0)).join('')}</ul>
</aside>
${helpHtml}
<footer>${count(blocks, 'block')}. Made by pagestream from the document named above; nothing on this page was fetched from elsewhere.</footer>
<script>${viewerScript}</script>
</body>
</html>
`
}

const entryHtml = ({ title, level, href }: ContentsEntry): string =>
  `<li class="l${level}"><a class="entry" href="${href}"><bdi>${escapeHtml(title)}</bdi></a></li>`

const kindHtml = (kind: BlockKind, number: number): string =>
  number === 0
    ? ''
    : `<li><label><input type="checkbox" value="${kind}" checked><span class="swatch k-${kind}"></span>${kindLabels[kind]}<span class="count">${number.toLocaleString('en-US')}</span></label></li>\n`

const keys: readonly (readonly [string, string])[] = [
  ['j', 'next block (also arrow down on a block)'],
  ['k', 'block before (also arrow up on a block)'],
  ['Enter', 'from a block to its place on the page, and back'],
  ['n', 'next page'],
  ['p', 'page before'],
  ['c', 'contents'],
  ['f', 'kinds of block to show'],
  ['z', 'page pictures as wide as their column'],
  ['Escape', 'choose nothing'],
  ['?', 'these keys'],
]

const helpHtml = `<dialog id="help" aria-labelledby="help-title">
<h2 id="help-title" class="panel-title">Keys</h2>
<dl>
${keys.map(([key, what]) => `<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`).join('\n')}
</dl>
<p><label><input type="checkbox" id="single-keys" checked> Single letters work as keys</label></p>
<form method="dialog"><button>Close</button></form>
</dialog>`
