/**
 * The script of document.html: ties the boxes on the page pictures to the blocks of the text, both ways.
 * It reads positions from `data-at` ("page:x0,y0,x1,y1;…") and makes a page's boxes when the page comes near
 * the screen, so that long documents open at once. It never makes markup from text.
 */
export const viewerScript = `
'use strict'
const pages = document.getElementById('pages')
const text = document.getElementById('text')
const blocks = [...text.querySelectorAll('.block')]
const places = new Map()
for (const block of blocks) {
  for (const place of block.dataset.at.split(';')) {
    const [page, box] = place.split(':')
    if (!places.has(page)) places.set(page, [])
    places.get(page).push({ block, box: box.split(',').map(Number) })
  }
}
const boxesOf = new Map()
let chosen = null
let near = null

function drawBoxes(page) {
  const sheet = page.querySelector('.sheet')
  for (const { block, box } of places.get(page.dataset.page) ?? []) {
    const button = document.createElement('button')
    button.type = 'button'
    button.tabIndex = -1
    button.className = 'box' + (block === chosen ? ' on' : '') + (block.classList.contains('off') ? ' off' : '')
    button.setAttribute('aria-label', block.dataset.kind.replaceAll('_', ' ') + ': ' + block.textContent.slice(0, 60))
    button.style.left = box[0] * 100 + '%'
    button.style.top = box[1] * 100 + '%'
    button.style.width = (box[2] - box[0]) * 100 + '%'
    button.style.height = (box[3] - box[1]) * 100 + '%'
    button.addEventListener('click', () => choose(block, 'text'))
    button.addEventListener('mouseenter', () => hover(block))
    button.addEventListener('mouseleave', () => hover(null))
    sheet.append(button)
    if (!boxesOf.has(block)) boxesOf.set(block, [])
    boxesOf.get(block).push(button)
  }
}
const watch = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue
    watch.unobserve(target)
    drawBoxes(target)
  }
}, { root: pages, rootMargin: '100%' })
for (const page of pages.querySelectorAll('.page')) watch.observe(page)

function mark(block, name, on) {
  if (!block) return
  block.classList.toggle(name, on)
  for (const box of boxesOf.get(block) ?? []) box.classList.toggle('on', block === chosen || block === near)
}
function hover(block) {
  const before = near
  near = block
  mark(before, 'near', false)
  mark(block, 'near', true)
}
function choose(block, scroll) {
  const before = chosen
  chosen = block
  if (before) before.removeAttribute('aria-current')
  mark(before, 'on', false)
  if (!block) return
  mark(block, 'on', true)
  block.setAttribute('aria-current', 'true')
  history.replaceState(null, '', '#' + block.id)
  if (scroll !== 'pages') block.scrollIntoView({ block: 'nearest' })
  if (scroll !== 'text') showOnPage(block)
}
function showOnPage(block) {
  const [page, box] = block.dataset.at.split(';')[0].split(':')
  const figure = document.getElementById('page-' + page)
  if (!figure) return
  const sheet = figure.querySelector('.sheet')
  const top = figure.offsetTop - pages.offsetTop + sheet.offsetTop - figure.offsetTop + Number(box.split(',')[1]) * sheet.offsetHeight
  pages.scrollTo({ top: top - pages.clientHeight / 3 })
}
text.addEventListener('click', (event) => {
  const block = event.target.closest('.block')
  if (block) choose(block, 'pages')
})
text.addEventListener('mouseover', (event) => hover(event.target.closest('.block')))
text.addEventListener('mouseleave', () => hover(null))

function step(by) {
  const shown = blocks.filter((block) => !block.classList.contains('off'))
  const at = shown.indexOf(chosen)
  const next = shown[Math.min(shown.length - 1, Math.max(0, at < 0 ? (by > 0 ? 0 : shown.length - 1) : at + by))]
  if (next) choose(next, 'both')
}
const help = document.getElementById('help')
document.getElementById('show-help').addEventListener('click', () => help.showModal())
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return
  if (event.target.closest('input, select, textarea')) return
  const key = event.key
  if (key === 'j' || key === 'ArrowDown') step(1)
  else if (key === 'k' || key === 'ArrowUp') step(-1)
  else if (key === 'Enter' && chosen && !event.target.closest('button')) choose(chosen, 'both')
  else if (key === 'Escape') choose(null)
  else if (key === '?') help.showModal()
  else return
  event.preventDefault()
})

const kinds = document.getElementById('kinds')
for (const kind of [...new Set(blocks.map((block) => block.dataset.kind))]) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = kind.replaceAll('_', ' ')
  button.setAttribute('aria-pressed', 'true')
  button.addEventListener('click', () => {
    const shown = button.getAttribute('aria-pressed') === 'false'
    button.setAttribute('aria-pressed', String(shown))
    for (const block of blocks) {
      if (block.dataset.kind !== kind) continue
      block.classList.toggle('off', !shown)
      for (const box of boxesOf.get(block) ?? []) box.classList.toggle('off', !shown)
    }
  })
  kinds.append(button)
}
const wanted = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
if (wanted && wanted.classList.contains('block')) choose(wanted, 'both')
`
