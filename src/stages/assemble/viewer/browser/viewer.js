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
  return block.dataset.pages.split(' ').flatMap((page) => [...byId(`p-${page}`).querySelectorAll(`[data-for="${CSS.escape(block.id)}"]`)])
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
  history.replaceState(null, '', `#${block.id}`)
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
  const page = byId(`p-${number}`)
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
  root.classList.toggle(`no-${target.value}`, !target.checked)
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
