// Tables as papers print them: with rules all around, or with no rules and columns set by the white between them.
import { breakLines, drawLine } from './typesetter.mjs'

/** A drawn table as one piece of the column flow. `shares` are the widths of the columns as parts of the whole. */
export function tablePiece(doc, { header, rows }, { width, shares, ruled, size, rowHeight, rowsFrom = 0, rowsTo = rows.length, alignRightFrom = 1 }) {
  const shown = [header, ...rows.slice(rowsFrom, rowsTo)]
  const height = shown.length * rowHeight
  const draw = (x, y) => {
    const edges = [x]
    for (const share of shares) edges.push(edges.at(-1) + share * width)
    for (const [index, row] of shown.entries()) {
      const top = y + index * rowHeight
      for (const [column, text] of row.entries()) {
        const style = { size, face: index === 0 ? 'bold' : 'plain', align: 'left' }
        const [line] = breakLines(doc, text, width, style)
        if (!line) continue
        const natural = doc
          .font(index === 0 ? 'Times-Bold' : 'Times-Roman')
          .fontSize(size)
          .widthOfString(text)
        const left = column >= alignRightFrom ? edges[column + 1] - 5 - natural : edges[column] + 5
        drawLine(doc, line, left, top + (rowHeight - size) / 2, width, style)
      }
    }
    if (ruled) drawGrid(doc, edges, y, shown.length, rowHeight)
  }
  return { height, draw }
}

function drawGrid(doc, edges, top, rows, rowHeight) {
  const bottom = top + rows * rowHeight
  doc.lineWidth(0.5).strokeColor('black')
  for (let row = 0; row <= rows; row++) {
    doc
      .moveTo(edges[0], top + row * rowHeight)
      .lineTo(edges.at(-1), top + row * rowHeight)
      .stroke()
  }
  for (const edge of edges) doc.moveTo(edge, top).lineTo(edge, bottom).stroke()
}
