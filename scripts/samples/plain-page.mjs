// One page set in one column: what is scanned, photographed, or given a broken text layer.
import { a4, newDocument } from './document.mjs'
import { breakLines, drawLine } from './typesetter.mjs'

const margin = 72
const looks = {
  title: { size: 20, face: 'sansBold', align: 'left', step: 26, before: 14 },
  heading: { size: 13, face: 'sansBold', align: 'left', step: 17, before: 14 },
  text: { size: 12, align: 'left', step: 16, before: 8 },
  item: { size: 12, align: 'left', step: 16, before: 5, inset: 22 },
}

/** A document of one page. A part is { look, text, marker }; parts stand one under the other. All type is enlarged by `scale`. */
export function plainPage(name, parts, info = {}, scale = 1) {
  const doc = newDocument(name, info)
  doc.addPage()
  let y = margin
  for (const { look, text, marker } of parts) {
    const { step, before, size, inset = 0, ...rest } = looks[look]
    const style = { ...rest, size: size * scale }
    const width = a4.width - 2 * margin - inset * scale
    y += before * scale
    if (marker) doc.font('Times-Roman').fontSize(style.size).text(marker, margin, y, { lineBreak: false })
    for (const line of breakLines(doc, text, width, style)) {
      drawLine(doc, line, margin + inset * scale, y, width, style)
      y += step * scale
    }
  }
  return doc
}
