// A small typesetter over pdfkit: runs with inline marks, greedy line breaking with soft hyphens, justified lines, links.

/** Faces by style; all are among the 14 standard fonts, so nothing is embedded and every reader has them. */
const faces = { plain: 'Times-Roman', italic: 'Times-Italic', bold: 'Times-Bold', sans: 'Helvetica', sansBold: 'Helvetica-Bold', mono: 'Courier' }

const inlineMark = /_([^_]+)_|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)|\^([^^]+)\^/g

/** Source text to runs: `_italic_`, `**bold**`, `[text](address)`, `^raised^`; `|` marks where a word may be hyphenated. */
function parseRuns(source) {
  const runs = []
  let from = 0
  for (const match of source.matchAll(inlineMark)) {
    if (match.index > from) runs.push({ text: source.slice(from, match.index) })
    const [all, italic, bold, linked, address, raised] = match
    if (italic) runs.push({ text: italic, face: 'italic' })
    else if (bold) runs.push({ text: bold, face: 'bold' })
    else if (linked) runs.push({ text: linked, address })
    else runs.push({ text: raised, raised: true })
    from = match.index + all.length
  }
  if (from < source.length) runs.push({ text: source.slice(from) })
  return runs
}

/** Words as pieces that may be parted: after a soft hyphen (a hyphen is printed) or after a hyphen of the word itself. */
function wordsOf(runs, style) {
  const words = [[]]
  for (const run of runs) {
    const parts = run.text.split(/( )/)
    for (const part of parts) {
      if (part === ' ') {
        words.push([])
        continue
      }
      for (const piece of part.split(/(?<=[|])|(?<=\p{L}-)(?=\p{L})/u)) {
        if (piece === '') continue
        const soft = piece.endsWith('|')
        const text = soft ? piece.slice(0, -1) : piece
        words
          .at(-1)
          .push({ text, soft, mayBreak: soft || text.endsWith('-'), face: run.face ?? style.face ?? 'plain', address: run.address, raised: run.raised })
      }
    }
  }
  return words.filter((word) => word.length > 0)
}

const sizeOf = (piece, style) => (piece.raised ? style.size * 0.65 : style.size)

/** Width in points of text in a piece's face and size. */
function widthOf(doc, piece, style, text = piece.text) {
  return doc.font(faces[piece.face]).fontSize(sizeOf(piece, style)).widthOfString(text)
}

/**
 * Breaks source text into lines no wider than `width` points. A line is a list of words, a word a list of pieces.
 * `style`: size, face, align (`justify`, `left`, `center`), indent of the first line.
 */
export function breakLines(doc, source, width, style) {
  const space = doc
    .font(faces[style.face ?? 'plain'])
    .fontSize(style.size)
    .widthOfString(' ')
  const lines = []
  let line = []
  let used = style.indent ?? 0
  const flush = () => {
    lines.push({ words: line, first: lines.length === 0, last: false })
    line = []
    used = 0
  }
  for (const word of wordsOf(parseRuns(source), style)) {
    let rest = word
    while (rest.length > 0) {
      const gap = line.length > 0 ? space : 0
      const whole = rest.reduce((sum, piece) => sum + widthOf(doc, piece, style), 0)
      if (used + gap + whole <= width) {
        line.push(rest)
        used += gap + whole
        break
      }
      const head = headThatFits(doc, rest, width - used - gap, style)
      if (head > 0) {
        const last = rest[head - 1]
        line.push([...rest.slice(0, head - 1), { ...last, text: last.soft ? `${last.text}-` : last.text }])
        rest = rest.slice(head)
      } else if (line.length === 0) {
        line.push(rest)
        rest = []
      }
      flush()
    }
  }
  if (line.length > 0) flush()
  if (lines.length > 0) lines.at(-1).last = true
  return lines
}

/** How many pieces of a word fit into `room` with the hyphen that parting there prints; 0 when none do. */
function headThatFits(doc, pieces, room, style) {
  let used = 0
  let fits = 0
  for (const [index, piece] of pieces.entries()) {
    const hyphen = piece.soft ? widthOf(doc, piece, style, '-') : 0
    used += widthOf(doc, piece, style)
    if (used + hyphen > room) break
    if (piece.mayBreak && index < pieces.length - 1) fits = index + 1
  }
  return fits
}

/** Draws one line with its top at `y`. Text that follows without a change of style is written in one go, as typesetting programs do. */
export function drawLine(doc, line, x, y, width, style) {
  const space = doc
    .font(faces[style.face ?? 'plain'])
    .fontSize(style.size)
    .widthOfString(' ')
  const indent = line.first ? (style.indent ?? 0) : 0
  const natural = line.words.flat().reduce((sum, piece) => sum + widthOf(doc, piece, style), 0) + space * (line.words.length - 1)
  const slack = width - indent - natural
  const stretch = style.align === 'justify' && !line.last && line.words.length > 1 && slack < width * 0.3 ? slack / (line.words.length - 1) : 0
  let at = x + indent + (style.align === 'center' ? slack / 2 : 0)
  for (const span of spansOf(line)) {
    const [piece] = span.pieces
    const size = sizeOf(piece, style)
    const rise = piece.raised ? -style.size * 0.08 : style.size - size
    doc
      .font(faces[piece.face])
      .fontSize(size)
      .fillColor(piece.address ? '#1a3f8f' : (style.color ?? 'black'))
    doc.text(span.text, at, y + rise, { lineBreak: false, wordSpacing: stretch })
    const spaces = span.text.split(' ').length - 1
    const spanWidth = doc.widthOfString(span.text) + stretch * spaces
    if (piece.address) linkTo(doc, piece.address, at, y, spanWidth - (span.text.endsWith(' ') ? space + stretch : 0), style.size)
    at += spanWidth
  }
  doc.fillColor('black')
}

/** Neighbouring pieces of one style as one string, with the spaces between the words. */
function spansOf(line) {
  const spans = []
  for (const [index, word] of line.words.entries()) {
    for (const [position, piece] of word.entries()) {
      const last = spans.at(-1)
      const like = last && last.pieces[0].face === piece.face && last.pieces[0].address === piece.address && last.pieces[0].raised === piece.raised
      const gap = position === 0 && index > 0 ? ' ' : ''
      if (like) {
        last.text += gap + piece.text
        last.pieces.push(piece)
      } else {
        if (last) last.text += gap
        spans.push({ text: piece.text, pieces: [piece] })
      }
    }
  }
  return spans
}

function linkTo(doc, address, x, y, width, height) {
  if (address.startsWith('#')) doc.goTo(x, y, width, height, address.slice(1))
  else doc.link(x, y, width, height, address)
}
