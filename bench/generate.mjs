// Makes a born-digital document of any length: `node bench/generate.mjs PAGES FILE`. Two columns of justified prose that runs on over
// columns and pages, numbered headings, bullet lists, ruled tables, a running head and page numbers. The same pages give the same bytes.
import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { PdfWriter, pdfString } from './pdf-writer.mjs'
import { Prose, randomFrom } from './prose.mjs'
import { widthOf } from './times-widths.mjs'

const page = { width: 612, height: 792, left: 54, top: 72, bottom: 66, gutter: 24 }
const columnWidth = (page.width - 2 * page.left - page.gutter) / 2
const fontSize = 10
const lead = 12

/** Breaks text into lines of at most `width` points; all but the last are to be justified. */
function breakLines(text, width) {
  const lines = []
  let words = []
  let used = 0
  for (const word of text.split(' ')) {
    const wide = widthOf(word, fontSize)
    if (words.length > 0 && used + widthOf(' ', fontSize) + wide > width) {
      lines.push({ words, slack: width - used })
      words = []
      used = 0
    }
    used += (words.length > 0 ? widthOf(' ', fontSize) : 0) + wide
    words.push(word)
  }
  lines.push({ words, slack: 0 })
  return lines
}

const showText = (font, size, x, y, text) => `BT /${font} ${size} Tf ${x.toFixed(2)} ${y.toFixed(2)} Td ${pdfString(text)} Tj ET\n`

/** One line of a column. `height` in points; `draw` gives the operators for its left edge and baseline. */
const textLine = ({ words, slack }, indent = 0) => ({
  height: lead,
  draw: (x, y) => {
    const spacing = words.length > 1 ? slack / (words.length - 1) : 0
    return `BT /F1 ${fontSize} Tf ${spacing.toFixed(3)} Tw ${(x + indent).toFixed(2)} ${y.toFixed(2)} Td ${pdfString(words.join(' '))} Tj ET\n`
  },
})

function headingLines(prose, number) {
  const title = `${number} ${prose.title()}`
  return [
    { height: 18, draw: () => '' },
    { height: 16, keepWithNext: true, draw: (x, y) => showText('F2', 12, x, y, title) },
  ]
}

function listLines(prose) {
  return Array.from({ length: prose.between(3, 5) }, () => breakLines(prose.sentence(), columnWidth - 14)).flatMap((lines) =>
    lines.map((line, index) => {
      const body = textLine({ ...line, slack: 0 }, 14)
      return { height: lead, draw: (x, y) => `${index === 0 ? showText('F1', fontSize, x + 4, y, '\x95') : ''}${body.draw(x, y)}` }
    }),
  )
}

function tableLines(prose) {
  const [rows, columns] = [prose.between(4, 8), prose.between(3, 4)]
  const cell = (row, column) =>
    row === 0 ? prose.title().split(' ')[0].slice(0, 9) : column === 0 ? prose.word().slice(0, 9) : `${prose.between(1, 9999) / 100}`
  const grid = Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => cell(row, column)))
  const step = columnWidth / columns
  const height = rows * 14
  const draw = (x, y) => {
    const top = y + lead - 2
    const rules = Array.from({ length: rows + 1 }, (_, i) => `${x} ${(top - i * 14).toFixed(2)} m ${x + columnWidth} ${(top - i * 14).toFixed(2)} l S\n`)
    const bars = Array.from({ length: columns + 1 }, (_, i) => `${(x + i * step).toFixed(2)} ${top} m ${(x + i * step).toFixed(2)} ${top - height} l S\n`)
    const texts = grid.flatMap((cells, row) => cells.map((text, i) => showText(row === 0 ? 'F2' : 'F1', 9, x + i * step + 3, top - row * 14 - 10, text)))
    return `0.5 w ${rules.join('')}${bars.join('')}${texts.join('')}`
  }
  return [{ height: height + 16, draw }]
}

/** Endless lines of a paper: sections of paragraphs, now and then a list or a table. */
function* paperLines(prose) {
  for (let section = 1; ; section++) {
    yield* headingLines(prose, section)
    for (let i = prose.between(3, 7); i > 0; i--) {
      const kind = prose.between(1, 10)
      if (kind === 1) yield* listLines(prose)
      else if (kind === 2) yield* tableLines(prose)
      else for (const line of breakLines(prose.paragraph(), columnWidth)) yield textLine(line)
      yield { height: 5, draw: () => '' }
    }
  }
}

/** Fills one column from the lines; what does not fit stands first in the next one. */
function fillColumn(lines, x, carried) {
  const room = page.height - page.top - page.bottom
  const drawn = []
  let used = 0
  let next = carried ?? lines.next().value
  while (used + next.height <= room && !(next.keepWithNext && used + next.height + 2 * lead > room)) {
    drawn.push(next.draw(x, page.height - page.top - used - lead + 2))
    used += next.height
    next = lines.next().value
  }
  return { content: drawn.join(''), carried: next }
}

/** The document's bytes. `seed` chooses another text of the same shape. */
export function generatedPdf(pages, seed = 1) {
  const writer = new PdfWriter()
  const prose = new Prose(randomFrom(seed))
  const [catalog, tree] = [writer.reserve(), writer.reserve()]
  const fonts = ['Times-Roman', 'Times-Bold'].map((name) => writer.object(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`))
  const resources = writer.object(`<< /Font << /F1 ${fonts[0]} 0 R /F2 ${fonts[1]} 0 R >> >>`)
  const lines = paperLines(prose)
  const head = prose.title()
  let carried
  const kids = Array.from({ length: pages }, (_, index) => {
    const left = fillColumn(lines, page.left, carried)
    const right = fillColumn(lines, page.left + columnWidth + page.gutter, left.carried)
    carried = right.carried
    const furniture = `${showText('F1', 8, page.left, page.height - 40, head)}${showText('F1', 9, page.width / 2 - 8, 36, `${index + 1}`)}`
    const content = writer.stream(`${furniture}${left.content}${right.content}`)
    return writer.object(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Resources ${resources} 0 R /Contents ${content} 0 R >>`,
    )
  })
  writer.object(`<< /Type /Pages /Count ${pages} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`, tree)
  writer.object(`<< /Type /Catalog /Pages ${tree} 0 R >>`, catalog)
  return writer.finish(catalog)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [pages, file] = [Number(process.argv[2]), process.argv[3]]
  if (!Number.isInteger(pages) || pages < 1 || !file) throw new Error('usage: node bench/generate.mjs PAGES FILE')
  writeFileSync(file, generatedPdf(pages))
}
