/** The style sheet of document.html. Kinds differ by border and label, never by colour alone. */
export const viewerStyle = `
:root { color-scheme: light dark; --back: #f4f4f1; --paper: #ffffff; --ink: #1c1d20; --soft: #55585f; --line: #d5d5cf; --mark: #0b57a4; --fill: #0b57a41f; --warn: #9a3412 }
@media (prefers-color-scheme: dark) { :root { --back: #17181b; --paper: #212327; --ink: #ececea; --soft: #adb0b8; --line: #3a3d44; --mark: #8cc0ff; --fill: #8cc0ff2e; --warn: #ffb28a } }
* { box-sizing: border-box }
html, body { height: 100%; margin: 0 }
body { display: grid; grid: auto 1fr / minmax(0, 1fr) minmax(0, 1fr); background: var(--back); color: var(--ink); font: 16px/1.55 system-ui, sans-serif }
header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; padding: .6rem 1rem; border-bottom: 1px solid var(--line); background: var(--paper) }
header h1 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere }
header p { margin: 0; color: var(--soft); font-size: .85rem }
#kinds { display: flex; flex-wrap: wrap; gap: .3rem; margin-left: auto; border: 0; padding: 0 }
#kinds legend { float: left; padding: 0 .4rem 0 0; color: var(--soft); font-size: .85rem }
button { font: inherit; font-size: .85rem; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 4px; padding: .1rem .5rem; cursor: pointer }
button[aria-pressed=false] { text-decoration: line-through; color: var(--soft) }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px }
#pages, #text { overflow: auto; min-height: 0; padding: 1rem }
#pages { border-right: 1px solid var(--line) }
.page { margin: 0 auto 1.2rem; max-width: 60rem; content-visibility: auto; contain-intrinsic-size: auto 60rem }
.page figcaption { color: var(--soft); font-size: .8rem; margin-bottom: .2rem }
.sheet { position: relative; background: #fff; border: 1px solid var(--line); overflow: hidden }
.sheet img { display: block; width: 100%; height: auto }
.sheet .none { display: grid; place-items: center; margin: 0; min-height: 12rem; padding: 1rem; color: #55585f }
.failure { color: var(--warn); font-weight: 600 }
.sheet .failure { color: #9a3412 }
.box { position: absolute; padding: 0; border: 1px solid #0b57a480; border-radius: 2px; background: transparent }
.box:hover, .box.on { border: 2px solid #0b57a4; background: #0b57a426 }
.box.off, .block.off { display: none }
.block { max-width: 46rem; margin: 0 auto; padding: .15rem .8rem; border-left: 4px solid transparent; border-radius: 3px; overflow-wrap: anywhere; content-visibility: auto; contain-intrinsic-size: auto 4rem; scroll-margin: 20vh }
.block p, .block h2, .block h3, .block h4, .block h5, .block h6 { margin: .35rem 0 }
.block h2 { font-size: 1.5rem } .block h3 { font-size: 1.25rem } .block h4 { font-size: 1.1rem } .block h5, .block h6 { font-size: 1rem }
.block.near { border-left-color: var(--line) }
.block.on { border-left-color: var(--mark); background: var(--fill) }
.block .facts { display: none; color: var(--soft); font-size: .78rem; margin: 0 }
.block.on .facts, .block.near .facts { display: block }
.k-list_item { padding-left: 2rem }
.k-caption p, .k-footnote p { font-size: .92rem; color: var(--soft) }
.k-page_header, .k-page_footer, .k-page_number, .k-aside { border-left: 4px double var(--line) }
.k-page_header p, .k-page_footer p, .k-page_number p, .k-aside p { font-size: .85rem; color: var(--soft) }
.hidden-text { border: 1px dashed var(--warn) }
.hidden-text::before { content: "hidden from readers"; color: var(--warn); font-size: .78rem }
.cut { max-width: 100%; height: auto; background: #fff }
.table { overflow-x: auto }
table { border-collapse: collapse; font-size: .9rem; margin: .4rem 0 }
td, th { border: 1px solid var(--line); padding: .15rem .5rem; text-align: start; vertical-align: top }
th { background: var(--back) }
pre { overflow-x: auto; background: var(--back); padding: .5rem; margin: .4rem 0; white-space: pre-wrap }
dialog { color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 6px; max-width: 30rem }
dt { font-weight: 600 } dd { margin: 0 0 .4rem 0 }
@media (max-width: 50rem) { body { grid: auto 45vh 1fr / minmax(0, 1fr) } #pages { border-right: 0; border-bottom: 1px solid var(--line) } }
@media print { body { display: block } #kinds, #pages { display: none } .block { content-visibility: visible } }
`
