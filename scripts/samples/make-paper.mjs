// paper.pdf: a born-digital paper of four pages in two columns.
import sharp from 'sharp'
import { ColumnFlow } from './column-flow.mjs'
import { a4, bytesOf, newDocument } from './document.mjs'
import { drawChart, paintPumpHouse } from './figures.mjs'
import * as words from './paper-text.mjs'
import { tablePiece } from './tables.mjs'
import { breakLines, drawLine } from './typesetter.mjs'

const margin = 54
const gutter = 20
const columnWidth = (a4.width - 2 * margin - gutter) / 2
const fullWidth = a4.width - 2 * margin
const [top, bottom] = [70, a4.height - 66]
const leading = 12
const text = { size: 10, align: 'justify', indent: 12 }
const caption = { size: 8.5, align: 'left' }
const headings = { 1: { size: 13, face: 'sansBold', before: 16, after: 5 }, 2: { size: 10.5, face: 'sansBold', before: 9, after: 3 } }
const chartHeight = 168
/** Rows of Table 3 on the page on which it begins. */
const firstRows = 13
const rowHeight = 13.5

export async function makePaper() {
  const doc = newDocument('paper', {
    Title: words.title,
    Author: words.authors,
    Subject: 'Water lifting by the tide',
    Keywords: 'tide, pump, harbour, fresh water',
  })
  const house = await sharp(paintPumpHouse(640, 400), { raw: { width: 640, height: 400, channels: 3 } })
    .jpeg({ quality: 72 })
    .toBuffer()
  const pages = []
  const start = titleHeight(doc)
  const openPage = (index) => {
    while (pages.length <= index) pages.push(addPage(doc, pages.length))
    if (index === 0 && pages.length === 1) drawTitle(doc)
  }
  openPage(0)
  const flow = new ColumnFlow(frames(start), openPage)
  const setter = { doc, flow, house, outline: [] }
  for (const item of words.body) setItem(setter, item)
  return bytesOf(doc)
}

/** Columns page by page; the chart stands over both columns of page 2, Table 3 at the foot of page 3 and the head of page 4. */
function frames(start) {
  const tops = [start, top + chartHeight + 36, top, top + (25 - firstRows) * rowHeight + 40]
  const bottoms = [bottom, bottom, bottom - (firstRows + 1) * rowHeight - 30, bottom]
  return tops.flatMap((frameTop, page) =>
    [margin, margin + columnWidth + gutter].map((x) => ({ page, x, width: columnWidth, top: frameTop, bottom: bottoms[page] })),
  )
}

function addPage(doc, index) {
  doc.addPage()
  if (index > 0) {
    const header = index % 2 === 1 ? words.runningTitle : 'Merrow Quay Workshop'
    doc
      .font('Times-Italic')
      .fontSize(9)
      .text(header, margin, 38, { width: fullWidth, align: index % 2 === 1 ? 'left' : 'right', lineBreak: false })
    doc
      .lineWidth(0.4)
      .moveTo(margin, 52)
      .lineTo(a4.width - margin, 52)
      .stroke()
  }
  doc
    .font('Times-Roman')
    .fontSize(9)
    .text(String(index + 1), margin, a4.height - 46, { width: fullWidth, align: 'center', lineBreak: false })
  if (index === 1) drawChartOver(doc)
  if (index === 2) drawReadings(doc, bottom - (firstRows + 1) * rowHeight - 18, 0, firstRows, words.readings.caption)
  if (index === 3) drawReadings(doc, top, firstRows, 24, words.readings.continued)
  return index
}

function titleLines(doc) {
  const lines = (source, style, width = fullWidth) => breakLines(doc, source, width, style).map((line) => ({ line, style }))
  const centre = (size, face) => ({ size, face, align: 'center' })
  return [
    { lines: lines(words.title, centre(19, 'sansBold'), fullWidth - 40), step: 23, before: 0, inset: 20 },
    { lines: lines(words.authors, centre(11, 'plain')), step: 14, before: 10, inset: 0 },
    { lines: lines(words.affiliation, centre(10, 'italic')), step: 13, before: 2, inset: 0 },
    { lines: lines('**Abstract**', centre(10, 'plain')), step: 13, before: 16, inset: 0 },
    { lines: lines(words.abstract, { size: 9.5, align: 'justify' }, fullWidth - 72), step: 11.5, before: 3, inset: 36 },
  ]
}

const titleHeight = (doc) => titleLines(doc).reduce((y, part) => y + part.before + part.lines.length * part.step, top - 6) + 18

function drawTitle(doc) {
  let y = top - 6
  for (const part of titleLines(doc)) {
    y += part.before
    for (const { line, style } of part.lines) {
      drawLine(doc, line, margin + part.inset, y, fullWidth - 2 * part.inset, style)
      y += part.step
    }
  }
}

function drawChartOver(doc) {
  doc.addNamedDestination(words.chart.id, 'XYZ', margin, top, null)
  drawChart(doc, words.chart.months, margin, top, fullWidth, chartHeight)
  const [line] = breakLines(doc, words.chart.caption, fullWidth, caption)
  drawLine(doc, line, margin, top + chartHeight + 6, fullWidth, { ...caption, align: 'center' })
}

function drawReadings(doc, y, rowsFrom, rowsTo, text) {
  if (rowsFrom === 0) doc.addNamedDestination(words.readings.id, 'XYZ', margin, y, null)
  const [line] = breakLines(doc, text, fullWidth, caption)
  drawLine(doc, line, margin, y, fullWidth, caption)
  const shares = [0.22, 0.14, 0.16, 0.18, 0.16, 0.14]
  const options = { width: fullWidth, shares, ruled: true, size: 9, rowHeight, rowsFrom, rowsTo, alignRightFrom: 2 }
  tablePiece(doc, words.readings, options).draw(margin, y + 13)
}

function setItem(setter, item) {
  const setters = { heading, paragraph, list, footnote, formula, picture, 'parts-table': partsTable, 'cost-table': costTable }
  setters[item.kind](setter, item)
}

const linesOf = (doc, source, width, style, step, inset = 0) =>
  breakLines(doc, source, width - inset, style).map((line) => ({
    height: step,
    draw: (x, y) => drawLine(doc, line, x + inset, y, width - inset, style),
  }))

function heading({ doc, flow, outline }, { level, text: source }) {
  const { before, after, ...style } = headings[level]
  const step = style.size + 2
  // A heading needs room for itself and the first two lines of what follows.
  const lines = linesOf(doc, source, columnWidth, { ...style, align: 'left' }, step)
  if (flow.room < before + lines.length * step + after + 2 * leading) flow.nextFrame()
  const [first, ...rest] = lines
  const anchored = {
    ...first,
    before,
    draw: (x, y, width) => {
      first.draw(x, y, width)
      const number = /^\d+(?:\.\d+)*/.exec(source)?.[0]
      if (number) doc.addNamedDestination(`sec-${number}`, 'XYZ', x, y, null)
      const parent = level === 1 ? doc.outline : (outline.at(-1) ?? doc.outline)
      const entry = parent.addItem(source, { expanded: level === 1 })
      if (level === 1) outline.push(entry)
    },
  }
  flow.place([anchored, ...rest, { height: after, draw: () => {} }])
}

function paragraph({ doc, flow }, { text: source, flush }) {
  flow.placeLines(linesOf(doc, source, columnWidth, flush ? { ...text, indent: 0 } : text, leading), 0)
}

function list({ doc, flow }, { items, hanging = 24 }) {
  for (const [index, { marker, text: source }] of items.entries()) {
    const [first, ...rest] = linesOf(doc, source, columnWidth, { ...text, indent: 0 }, leading, hanging)
    const marked = {
      ...first,
      draw: (x, y, width) => {
        doc
          .font('Times-Roman')
          .fontSize(text.size)
          .fillColor('black')
          .text(marker, x + (hanging > 20 ? 10 : 0), y, { lineBreak: false })
        first.draw(x, y, width)
      },
    }
    flow.placeLines([marked, ...rest], index === 0 ? 4 : 2)
  }
  flow.place([{ height: 4, draw: () => {} }])
}

function footnote({ doc, flow }, { text: source }) {
  const style = { size: 8.5, align: 'justify' }
  const lines = linesOf(doc, source, columnWidth, style, 10)
  const place = flow.reserveFoot(lines.length * 10 + 10)
  doc
    .lineWidth(0.4)
    .strokeColor('black')
    .moveTo(place.x, place.y + 5)
    .lineTo(place.x + 70, place.y + 5)
    .stroke()
  for (const [index, line] of lines.entries()) line.draw(place.x, place.y + 10 + index * 10)
}

function formula({ doc, flow }, { number }) {
  const draw = (x, y, width) => {
    const centre = x + width / 2
    const write = (source, at, top, face = 'Times-Italic') => doc.font(face).fontSize(11).fillColor('black').text(source, at, top, { lineBreak: false })
    write('E', centre - 40, y + 9)
    write('=', centre - 26, y + 9, 'Times-Roman')
    write('d V h', centre - 4, y + 1)
    write('m s', centre + 1, y + 18)
    doc
      .lineWidth(0.6)
      .strokeColor('black')
      .moveTo(centre - 8, y + 15)
      .lineTo(centre + 26, y + 15)
      .stroke()
    write(number, x + width - 16, y + 9, 'Times-Roman')
  }
  flow.place([
    { height: 30, before: 6, draw },
    { height: 8, draw: () => {} },
  ])
}

function captioned(setter, { id, caption: source }, piece, captionFirst) {
  const { doc, flow } = setter
  const lines = linesOf(doc, source, columnWidth, caption, 10.5)
  const anchor = { height: 0, before: 8, draw: (x, y) => doc.addNamedDestination(id, 'XYZ', x, y, null) }
  const space = { height: 4, draw: () => {} }
  const parts = captionFirst ? [...lines, space, piece] : [piece, space, ...lines]
  flow.place([anchor, ...parts, { height: 10, draw: () => {} }])
}

function partsTable(setter) {
  const options = { width: columnWidth, shares: [0.3, 0.34, 0.2, 0.16], ruled: true, size: 8.5, rowHeight: 14, alignRightFrom: 2 }
  captioned(setter, words.partsTable, tablePiece(setter.doc, words.partsTable, options), true)
}

function costTable(setter) {
  const options = { width: columnWidth, shares: [0.56, 0.22, 0.22], ruled: false, size: 9, rowHeight: 12.5 }
  captioned(setter, words.costTable, tablePiece(setter.doc, words.costTable, options), true)
}

function picture(setter) {
  const height = (columnWidth * 400) / 640
  const piece = { height, draw: (x, y, width) => setter.doc.image(setter.house, x, y, { width, height }) }
  captioned(setter, words.picture, piece, false)
}
