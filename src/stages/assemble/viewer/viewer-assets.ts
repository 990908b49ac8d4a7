// Generated from browser/viewer.css and browser/viewer.js by scripts/make-viewer-assets.mjs.

export const viewerStyle = `
/* The style sheet of document.html. Kinds differ by their names, not by colour alone. */
:root {
  color-scheme: light dark;
  --back: light-dark(#f3f3f0, #15171a);
  --paper: light-dark(#ffffff, #1e2125);
  --ink: light-dark(#1d1f23, #e9e8e4);
  --soft: light-dark(#5a5e66, #a9adb6);
  --line: light-dark(#dcdbd5, #363a41);
  --accent: light-dark(#0b5cad, #8cc0ff);
  --chosen: light-dark(#e8f1fb, #22344a);
  --warn: light-dark(#96380d, #ffb38a);
  --warn-back: light-dark(#fdf0e7, #3a2a20);
  --bar: 3.25rem;
  accent-color: var(--accent);
}
:root[data-theme="light"] {
  color-scheme: light;
}
:root[data-theme="dark"] {
  color-scheme: dark;
}
* {
  box-sizing: border-box;
}
html {
  scroll-padding-top: calc(var(--bar) + 0.75rem);
}
body {
  margin: 0;
  background: var(--back);
  color: var(--ink);
  font:
    1rem / 1.55 system-ui,
    sans-serif;
}
a {
  color: var(--accent);
}
:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}

/* The bar */
.bar {
  position: sticky;
  top: 0;
  z-index: 2;
  display: flex;
  align-items: center;
  gap: 0.5rem;
  min-height: var(--bar);
  padding: 0.3rem 1.25rem;
  border-bottom: 1px solid var(--line);
  background: var(--paper);
}
.bar h1 {
  flex: 1;
  min-width: 6rem;
  margin: 0;
  overflow: hidden;
  font-size: 1rem;
  font-weight: 650;
  text-overflow: ellipsis;
  white-space: nowrap;
}
button,
input[type="number"] {
  padding: 0.25rem 0.65rem;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--paper);
  color: var(--ink);
  font: inherit;
  font-size: 0.85rem;
}
button {
  cursor: pointer;
}
button:hover,
button[aria-pressed="true"] {
  border-color: var(--accent);
  color: var(--accent);
}
.go {
  color: var(--soft);
  font-size: 0.85rem;
  white-space: nowrap;
}
.go input {
  width: 4.2rem;
  text-align: right;
}
[popover] {
  inset: calc(var(--bar) + 0.5rem) 1.25rem auto auto;
  width: min(26rem, calc(100vw - 2rem));
  max-height: calc(100vh - var(--bar) - 2rem);
  margin: 0;
  padding: 0.75rem 1rem;
  overflow: auto;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--paper);
  color: var(--ink);
  font-size: 0.9rem;
  box-shadow: 0 8px 30px #0003;
}
[popover] ol,
[popover] ul {
  margin: 0;
  padding: 0;
  list-style: none;
}
.panel-title {
  margin: 0 0 0.5rem;
  font-size: 1rem;
}
.entry {
  display: block;
  padding: 0.15rem 0.4rem;
  border-radius: 4px;
  color: inherit;
  text-decoration: none;
}
.entry:hover {
  background: var(--chosen);
}
.l2 {
  padding-left: 1rem;
}
.l3 {
  padding-left: 2rem;
}
.l4,
.l5,
.l6 {
  padding-left: 3rem;
}
.kinds label {
  display: flex;
  align-items: center;
  gap: 0.5rem;
  padding: 0.1rem 0;
}
.kinds .count {
  margin-left: auto;
  color: var(--soft);
}
.swatch {
  width: 0.8rem;
  height: 0.8rem;
  border-radius: 3px;
  background: var(--kind);
}
dialog {
  max-width: 28rem;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--paper);
  color: var(--ink);
}
dialog::backdrop {
  background: #0006;
}
dl {
  display: grid;
  grid-template-columns: auto 1fr;
  gap: 0.3rem 1rem;
  margin: 0 0 1rem;
}
dt,
dd {
  margin: 0;
  overflow-wrap: anywhere;
}
kbd {
  padding: 0 0.35rem;
  border: 1px solid var(--line);
  border-radius: 4px;
  font-size: 0.85em;
}

/* The document */
main {
  max-width: 100rem;
  margin: 0 auto;
  padding: 0 1.25rem;
}
.about {
  padding-top: 0.8rem;
  color: var(--soft);
  font-size: 0.88rem;
}
.about summary {
  cursor: pointer;
}
.about dl {
  margin: 0.75rem 0;
}
.about dt {
  color: var(--soft);
}
.about dd {
  color: var(--ink);
}
.failure {
  margin: 0.5rem 0;
  padding: 0.6rem 0.9rem;
  border-left: 4px solid var(--warn);
  border-radius: 4px;
  background: var(--warn-back);
  color: var(--warn);
}
.page {
  display: grid;
  grid-template: auto 1fr / minmax(0, 1fr) minmax(0, 1fr);
  gap: 0 2rem;
  padding: 1rem 0 2rem;
  border-bottom: 1px solid var(--line);
  content-visibility: auto;
  contain-intrinsic-size: auto 60rem;
}
.page > h2 {
  grid-column: 1 / -1;
  margin: 0 0 0.6rem;
  font-size: 0.85rem;
  font-weight: 600;
}
.page-facts {
  color: var(--soft);
  font-weight: 400;
}
.page > figure {
  position: sticky;
  top: calc(var(--bar) + 0.75rem);
  grid-area: 2 / 1;
  align-self: start;
  margin: 0;
}
.blocks {
  grid-area: 2 / 2;
  min-width: 0;
}
.sheet {
  position: relative;
  width: min(100%, calc((100vh - var(--bar) - 1.5rem) * var(--ratio, 99)));
  margin: 0 auto;
  background: #fff;
  box-shadow:
    0 0 0 1px var(--line),
    0 2px 12px #0002;
}
.sheet img {
  position: absolute;
  inset: 0;
  width: 100%;
  height: 100%;
}
.sheet svg {
  position: relative;
  z-index: 1;
  display: block;
  width: 100%;
  height: auto;
}
.zoomed .page > figure {
  position: static;
}
.zoomed .sheet {
  width: 100%;
}
.box rect {
  fill: transparent;
  stroke: var(--kind-mark);
  stroke-opacity: 0.55;
  stroke-width: 1.25px;
  vector-effect: non-scaling-stroke;
}
.box.near rect,
.box:hover rect {
  fill: var(--kind-mark);
  fill-opacity: 0.14;
  stroke-opacity: 1;
}
.box.on rect {
  fill: var(--kind-mark);
  fill-opacity: 0.22;
  stroke-opacity: 1;
  stroke-width: 2.5px;
}
.box:focus {
  outline: none;
}
.box:focus-visible rect {
  stroke-width: 3px;
  stroke-dasharray: 6 2;
}
.no-picture {
  position: absolute;
  inset: 0;
  display: grid;
  place-content: center;
  margin: 0;
  padding: 1rem;
  color: #5a5e66;
  font-size: 0.85rem;
}
.block {
  display: grid;
  grid-template-columns: 6.5rem minmax(0, 1fr);
  gap: 0 1rem;
  padding: 0.3rem 0.75rem 0.3rem 0;
  border-radius: 6px;
  scroll-margin: calc(var(--bar) + 3rem) 0 3rem;
  overflow-wrap: anywhere;
}
.block.near {
  background: var(--paper);
}
.block.on,
.block:target {
  background: var(--chosen);
}
.what {
  padding: 0.1rem 0 0 0.6rem;
  border-left: 4px solid var(--kind);
  color: var(--soft);
  font-size: 0.75rem;
  line-height: 1.35;
}
.kind {
  display: block;
  color: var(--ink);
  text-decoration: none;
}
.fact {
  display: block;
}
.says > * {
  margin: 0;
}
.says h3,
.says h4,
.says h5,
.says h6 {
  line-height: 1.3;
}
.says h3 {
  font-size: 1.4rem;
}
.says h4 {
  font-size: 1.2rem;
}
.says h5,
.says h6 {
  font-size: 1.05rem;
}
.text {
  white-space: pre-wrap;
}
.d1 {
  padding-left: 1.5rem;
}
.d2 {
  padding-left: 3rem;
}
.d3 {
  padding-left: 4.5rem;
}
.says .flags {
  display: flex;
  flex-wrap: wrap;
  gap: 0.3rem;
  margin-bottom: 0.2rem;
  padding: 0;
  list-style: none;
  font-size: 0.75rem;
}
.flags li {
  padding: 0 0.45rem;
  border: 1px solid currentcolor;
  border-radius: 999px;
  color: var(--warn);
}
.flags .plain {
  color: var(--soft);
}
.k-caption .text,
.k-footnote .text,
.k-reference .text {
  font-size: 0.92rem;
}
.furniture .says {
  color: var(--soft);
  font-size: 0.88rem;
}
.hidden-text .says > .text {
  padding: 0.2rem 0.5rem;
  border: 1px dashed var(--warn);
  color: var(--soft);
}
.control {
  padding: 0 0.25rem;
  border-radius: 3px;
  background: var(--warn-back);
  color: var(--warn);
  font:
    0.75em ui-monospace,
    monospace;
}
.rest summary {
  color: var(--accent);
  cursor: pointer;
}
.cut {
  max-width: 100%;
  height: auto;
  max-height: 30rem;
  border-radius: 3px;
  background: #fff;
}
.wide {
  overflow-x: auto;
}
table {
  border-collapse: collapse;
  font-size: 0.88rem;
  line-height: 1.4;
}
td,
th {
  padding: 0.2rem 0.6rem;
  border: 1px solid var(--line);
  text-align: start;
  vertical-align: top;
}
th {
  background: color-mix(in srgb, var(--line) 45%, transparent);
  font-weight: 600;
}
pre,
code {
  font:
    0.88rem / 1.5 ui-monospace,
    monospace;
}
pre {
  padding: 0.6rem 0.8rem;
  border-radius: 6px;
  background: var(--paper);
  white-space: pre-wrap;
}
.none,
.continued {
  margin: 0;
  padding: 0.3rem 0.75rem;
  color: var(--soft);
  font-size: 0.88rem;
}
footer {
  padding: 1.5rem 1.25rem 3rem;
  color: var(--soft);
  font-size: 0.8rem;
  text-align: center;
}

/* Colours of kinds: one for each family. Boxes lie on white paper in either scheme. */
.k-heading {
  --kind: light-dark(#0b5cad, #7db7f7);
  --kind-mark: #0b5cad;
}
.k-text,
.k-aside {
  --kind: light-dark(#8a919c, #7d8590);
  --kind-mark: #626b78;
}
.k-list_item,
.k-form_field {
  --kind: light-dark(#0f8a86, #4fc4bf);
  --kind-mark: #0b7773;
}
.k-table {
  --kind: light-dark(#2c8a3c, #6fca7e);
  --kind-mark: #23752f;
}
.k-formula,
.k-code,
.k-algorithm {
  --kind: light-dark(#7b4fc9, #b998f0);
  --kind-mark: #6a3fb8;
}
.k-figure,
.k-chart,
.k-stamp {
  --kind: light-dark(#c9710f, #f0a852);
  --kind-mark: #b0610a;
}
.k-caption,
.k-footnote,
.k-reference,
.k-index_entry {
  --kind: light-dark(#a88a12, #d8bd53);
  --kind-mark: #8a7005;
}
.k-page_header,
.k-page_footer,
.k-page_number {
  --kind: light-dark(#c9c8c2, #4a4f57);
  --kind-mark: #8d8d88;
}
.k-unknown {
  --kind: light-dark(#c23b4e, #f08a98);
  --kind-mark: #b02a3d;
}

@media screen and (max-width: 60rem) {
  :root {
    --bar: 7.5rem;
  }
  .bar {
    flex-wrap: wrap;
  }
  .bar h1 {
    flex-basis: 100%;
  }
  .page {
    display: flex;
    flex-direction: column;
  }
  .page > figure {
    position: static;
    order: 1;
    align-self: stretch;
    margin-bottom: 1rem;
  }
  .blocks {
    order: 2;
  }
  .block {
    grid-template-columns: 5rem minmax(0, 1fr);
    gap: 0 0.5rem;
  }
}
@media print {
  :root {
    color-scheme: light;
  }
  body {
    background: #fff;
    font-size: 0.72rem;
  }
  .bar button,
  .go,
  .rest summary,
  .about {
    display: none;
  }
  .bar {
    position: static;
    border: 0;
  }
  .bar h1 {
    white-space: normal;
  }
  .page {
    grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
    gap: 0 1rem;
    border: 0;
    content-visibility: visible;
  }
  .page + .page {
    break-before: page;
  }
  .page > figure {
    position: static;
  }
  .sheet,
  .zoomed .sheet {
    width: 100%;
  }
  .block {
    grid-template-columns: 4.5rem minmax(0, 1fr);
    gap: 0 0.5rem;
    break-inside: avoid;
  }
}
`

export const viewerScript = `
// The script of document.html. It ties blocks of the text to the boxes on the page pictures, both ways, for mouse and keyboard.
// Everything is readable without it: the boxes are links. It makes no markup and fetches nothing.

const root = document.documentElement
const byId = (id) => document.getElementById(id)
const blocks = [...document.querySelectorAll('.block')]
const places = new Map(blocks.map((block, index) => [block, index]))
const hiddenKinds = new Set()
let chosen
let pointed

// Blocks and boxes

/** Boxes of a block: it has several when it was joined over columns or pages. */
function boxesOf(block) {
  return block.dataset.pages.split(' ').flatMap((page) => [...byId(\`p-\${page}\`).querySelectorAll(\`[data-for="\${CSS.escape(block.id)}"]\`)])
}

function mark(block, name, on) {
  if (!block) return
  block.classList.toggle(name, on)
  for (const box of boxesOf(block)) box.classList.toggle(name, on)
}

function point(block) {
  if (block === pointed) return
  mark(pointed, 'near', false)
  mark(block, 'near', true)
  pointed = block
}

function choose(block) {
  if (block === chosen) return
  mark(chosen, 'on', false)
  if (chosen) {
    chosen.removeAttribute('aria-current')
    chosen.tabIndex = -1
  }
  chosen = block
  mark(block, 'on', true)
  if (!block) return history.replaceState(null, '', '#')
  block.setAttribute('aria-current', 'true')
  block.tabIndex = 0
  history.replaceState(null, '', \`#\${block.id}\`)
}

function showText(block) {
  choose(block)
  block.focus({ preventScroll: true })
  block.scrollIntoView({ block: 'nearest' })
}

function showBox(block) {
  const [box] = boxesOf(block)
  if (!box) return
  box.focus({ preventScroll: true })
  box.scrollIntoView({ block: 'nearest' })
}

const blockOf = (element) => element.closest?.('.block') ?? byId(element.closest?.('[data-for]')?.dataset.for ?? '')

document.addEventListener('click', (event) => {
  const box = event.target.closest('[data-for]')
  const block = blockOf(event.target)
  if (box && block) {
    event.preventDefault()
    showText(block)
  } else if (block) choose(block)
})
document.addEventListener('mouseover', (event) => point(blockOf(event.target)))
window.addEventListener('hashchange', () => {
  const block = byId(decodeURIComponent(location.hash.slice(1)))
  if (places.has(block)) showText(block)
})

// Keys

const isShown = (block) => !hiddenKinds.has(block.dataset.kind)

/** The block that begins nearest to the top of the window: where keys start when nothing is chosen. */
function firstInView() {
  const page = [...document.querySelectorAll('.page')].find((section) => section.getBoundingClientRect().bottom > 100)
  return [...(page?.querySelectorAll('.block') ?? [])].find((block) => isShown(block) && block.getBoundingClientRect().bottom > 100)
}

function step(by) {
  const from = chosen ? places.get(chosen) + by : places.get(firstInView())
  for (let at = from ?? 0; at >= 0 && at < blocks.length; at += by) if (isShown(blocks[at])) return showText(blocks[at])
}

function pageStep(by) {
  const input = byId('page')
  goTo(Number(input.value) + by)
}

function goTo(number) {
  const page = byId(\`p-\${number}\`)
  if (page) settleOn(page)
}

/** Pages get their true height only once they are near the window, so the place is sought until it stays. */
function settleOn(element, times = 4) {
  element.scrollIntoView()
  if (times > 0) requestAnimationFrame(() => settleOn(element, times - 1))
}

function enter(target) {
  if (target.matches('.block')) showBox(target)
  else if (target.matches('[data-for]')) showText(blockOf(target))
}

const single = byId('single-keys')
const singleKeys = {
  j: () => step(1),
  k: () => step(-1),
  n: () => pageStep(1),
  p: () => pageStep(-1),
  c: () => byId('contents').togglePopover(),
  f: () => byId('kinds').togglePopover(),
  z: () => byId('zoom').click(),
  '?': () => byId('help').showModal(),
}

document.addEventListener('keydown', (event) => {
  const { key, target } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || byId('help').open) return
  if (target.matches('input, select, textarea')) return
  const onBlock = target.matches('.block, [data-for]')
  if (key === 'Escape' && !document.querySelector(':popover-open')) choose(undefined)
  else if (onBlock && key === 'ArrowDown') step(1)
  else if (onBlock && key === 'ArrowUp') step(-1)
  else if (onBlock && key === 'Enter') enter(target)
  else if (single.checked && Object.hasOwn(singleKeys, key)) singleKeys[key]()
  else return
  event.preventDefault()
})

// Controls

byId('show-help').addEventListener('click', () => byId('help').showModal())
byId('zoom').addEventListener('click', ({ currentTarget }) => {
  const on = root.classList.toggle('zoomed')
  currentTarget.setAttribute('aria-pressed', String(on))
})
byId('contents').addEventListener('click', (event) => {
  if (event.target.closest('a')) byId('contents').hidePopover()
})
byId('kinds').addEventListener('change', ({ target }) => {
  if (target.checked) hiddenKinds.delete(target.value)
  else hiddenKinds.add(target.value)
  root.classList.toggle(\`no-\${target.value}\`, !target.checked)
})
byId('page').addEventListener('change', ({ target }) => goTo(Number(target.value)))

const themes = ['auto', 'light', 'dark']
const stored = (write) => {
  try {
    return write ? localStorage.setItem('pagestream-theme', write) : localStorage.getItem('pagestream-theme')
  } catch {
    return undefined // storage may be forbidden to local files
  }
}
function showTheme(theme) {
  root.dataset.theme = theme
  byId('theme').textContent = { auto: 'Colours: auto', light: 'Colours: light', dark: 'Colours: dark' }[theme]
}
byId('theme').addEventListener('click', () => {
  const next = themes[(themes.indexOf(root.dataset.theme) + 1) % themes.length]
  showTheme(next)
  stored(next)
})
const before = stored()
showTheme(themes.includes(before) ? before : 'auto')

// A page fits into the window unless zoomed: the style sheet needs its proportions for that.
for (const sheet of document.querySelectorAll('.sheet')) sheet.style.setProperty('--ratio', sheet.dataset.ratio)

const watch = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) byId('page').value = target.dataset.page
  },
  { rootMargin: '-30% 0px -69% 0px' },
)
for (const page of document.querySelectorAll('.page')) watch.observe(page)

if (blocks[0]) blocks[0].tabIndex = 0
const named = byId(decodeURIComponent(location.hash.slice(1)))
if (places.has(named)) showText(named)
`
