import { PdfWriter, pdfString } from '../pdf-writer.mjs'
import { Prose, randomFrom } from '../prose.mjs'
import { widthOf } from '../times-widths.mjs'

/** Points. */
const sheet = { width: 612, height: 792, left: 54, right: 558, gutter: 24, top: 110, bottom: 740 }
const columnWidth = (sheet.right - sheet.left - sheet.gutter) / 2
const rightColumn = sheet.left + columnWidth + sheet.gutter
const [fontSize, lead, gap] = [10, 12, 10]

/** A row of squares at the upper edge, outside of all blocks, says which page it is: the first is always black, then the bits of the number. */
export const pageMark = { left: 54, top: 8, side: 12, step: 16, bits: 8, ...{ pageWidth: sheet.width, pageHeight: sheet.height } }

/** Blocks one below the other that share the height of a column by their weights; `[x0, y0, x1, y1]` in points from the upper left corner. */
function column(x, kinds, random) {
  const weights = kinds.map(([, weight]) => weight * (0.6 + 0.8 * random()))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const room = sheet.bottom - sheet.top - gap * (kinds.length - 1)
  let y = sheet.top
  return kinds.map(([type], i) => {
    const height = (room * weights[i]) / whole
    const box = [x, y, x + columnWidth, y + height]
    y += height + gap
    return { type, box }
  })
}

/** Page `seed`, below 256: a running head, a title, eight paragraphs, a table, a formula and a page number, in reading order: 13 blocks to read. */
export function blockPage(seed) {
  const random = randomFrom(seed + 1)
  const left = column(
    sheet.left,
    [
      ['text', 3],
      ['text', 4],
      ['text', 3],
      ['text', 4],
      ['table', 4],
    ],
    random,
  )
  const right = column(
    rightColumn,
    [
      ['text', 5],
      ['text', 4],
      ['equation', 1],
      ['text', 4],
      ['text', 5],
    ],
    random,
  )
  return [
    { type: 'header', box: [sheet.left, 36, sheet.left + 160 + 60 * random(), 48] },
    { type: 'title', box: [sheet.left, 66, sheet.left + 260 + 200 * random(), 94] },
    ...left,
    ...right,
    { type: 'page_number', box: [296, 752, 318, 764] },
  ]
}

const text = (font, size, x, y, words) => `BT /${font} ${size} Tf ${x.toFixed(2)} ${(sheet.height - y).toFixed(2)} Td ${pdfString(words)} Tj ET\n`

function fillWithProse([x0, y0, x1, y1], prose) {
  let drawn = ''
  for (let y = y0 + lead - 2; y <= y1; y += lead) {
    let line = prose.word()
    for (let next = prose.word(); widthOf(`${line} ${next}`, fontSize) <= x1 - x0; next = prose.word()) line += ` ${next}`
    drawn += text('F1', fontSize, x0, y, line)
  }
  return drawn
}

function fillWithTable([x0, y0, x1, y1], prose) {
  const rows = Math.max(2, Math.round((y1 - y0) / 14))
  const [step, high] = [(x1 - x0) / 4, (y1 - y0) / rows]
  let drawn = '0.5 w '
  for (let row = 0; row <= rows; row++) drawn += `${x0} ${sheet.height - y0 - row * high} m ${x1} ${sheet.height - y0 - row * high} l S\n`
  for (let i = 0; i <= 4; i++) drawn += `${x0 + i * step} ${sheet.height - y0} m ${x0 + i * step} ${sheet.height - y1} l S\n`
  for (let row = 0; row < rows; row++)
    for (let i = 0; i < 4; i++) drawn += text('F1', 9, x0 + i * step + 3, y0 + row * high + 10, `${prose.between(1, 9999) / 100}`)
  return drawn
}

function draw({ type, box }, prose, seed) {
  if (type === 'table') return fillWithTable(box, prose)
  if (type === 'header') return text('F1', 8, box[0], box[3] - 2, 'A running head of this')
  if (type === 'title') return text('F2', 18, box[0], box[3] - 8, prose.title().slice(0, 24))
  if (type === 'equation') return text('F2', 12, box[0] + 20, (box[1] + box[3]) / 2 + 4, `E = m c + ${prose.word()}`)
  if (type === 'page_number') return text('F1', 9, box[0], box[3] - 2, `${seed + 1}`)
  return fillWithProse(box, prose)
}

function drawMark(seed) {
  const square = (i) => `${pageMark.left + i * pageMark.step} ${sheet.height - pageMark.top - pageMark.side} ${pageMark.side} ${pageMark.side} re f\n`
  return Array.from({ length: pageMark.bits }, (_, bit) => ((seed >> bit) & 1 ? square(bit + 1) : '')).join('') + square(0)
}

/** A document of so many pages that take turns over the given ones. */
export function blockPagesPdf(pages, seeds) {
  const writer = new PdfWriter()
  const [catalog, tree] = [writer.reserve(), writer.reserve()]
  const fonts = ['Times-Roman', 'Times-Bold'].map((name) => writer.object(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`))
  const resources = writer.object(`<< /Font << /F1 ${fonts[0]} 0 R /F2 ${fonts[1]} 0 R >> >>`)
  const contents = seeds.map((seed) => {
    const prose = new Prose(randomFrom(1000 + seed))
    return writer.stream(
      drawMark(seed) +
        blockPage(seed)
          .map((block) => draw(block, prose, seed))
          .join(''),
    )
  })
  const kids = Array.from({ length: pages }, (_, index) =>
    writer.object(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${sheet.width} ${sheet.height}] /Resources ${resources} 0 R /Contents ${contents[index % contents.length]} 0 R >>`,
    ),
  )
  writer.object(`<< /Type /Pages /Count ${pages} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`, tree)
  writer.object(`<< /Type /Catalog /Pages ${tree} 0 R >>`, catalog)
  return writer.finish(catalog)
}

/** The answer to the question where the blocks of page `seed` stand, in MinerU2.5's grammar. */
export function layoutAnswer(seed) {
  const thousandths = ([x0, y0, x1, y1]) =>
    [x0 / sheet.width, y0 / sheet.height, x1 / sheet.width, y1 / sheet.height].map((part) => `${Math.round(part * 1000)}`.padStart(3, '0'))
  return blockPage(seed)
    .map(({ type, box }) => `<|box_start|>${thousandths(box).join(' ')}<|box_end|><|ref_start|>${type}<|ref_end|><|rotate_up|>`)
    .join('\n')
}
