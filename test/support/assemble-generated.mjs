// Assembles a generated document of so many pages, in all text formats, and prints what it took.
// node assemble-generated.mjs PAGES FOLDER
import { assemble } from '../../dist/stages/assemble/assembler.js'
import { FolderSink } from '../../dist/store/folder-sink.js'

const [pages, folder] = [Number(process.argv[2]), process.argv[3]]
const words = 'the stream of pages carries blocks whose order and place a reader may check against the picture of each page'.split(' ')
const sentence = (seed) => `${Array.from({ length: 14 }, (_, i) => words[(seed * 7 + i * 3) % words.length]).join(' ')}.`
const paragraph = (seed) => Array.from({ length: 6 }, (_, i) => sentence(seed + i)).join(' ')
const look = (sizePt, bold = false) => ({ sizePt, bold, italic: false, font: 'Times', color: '#000000' })

function block(page, order, kind, text, box, more = {}) {
  const lines = Array.from({ length: 4 }, (_, i) => ({
    box: [box[0], box[1] + i * 0.012, box[2], box[1] + (i + 1) * 0.012],
    text: text.slice(i * 80, i * 80 + 80),
  }))
  return {
    id: `p${page}b${order}`,
    kind,
    page,
    box,
    angle: 0,
    order,
    text,
    markdown: text,
    lines: more.oneLine ? [lines[0]] : lines,
    look: look(10),
    source: 'text-layer',
    flags: [],
    ...more.fields,
  }
}

function table(page) {
  const cells = Array.from({ length: 40 }, (_, i) => ({
    row: i >> 2,
    column: i % 4,
    rowSpan: 1,
    columnSpan: 1,
    header: i < 4,
    text: i < 4 ? `Column ${i}` : `${page}.${i}`,
  }))
  return { rows: 10, columns: 4, headerRows: 1, cells, html: '<table></table>' }
}

/** Running head, heading, paragraphs of which the last goes on over the page, a table, a note, a page number. */
function pageAt(index) {
  const blocks = [
    block(index, 0, 'text', 'A generated document', [0.3, 0.04, 0.7, 0.05], { oneLine: true }),
    block(index, 1, 'text', `and so the paragraph of page ${index} goes on. ${paragraph(index)}`, [0.1, 0.1, 0.9, 0.15]),
    block(index, 2, 'heading', `${index + 1} Section of page ${index}`, [0.1, 0.2, 0.6, 0.22], { oneLine: true, fields: { look: look(14, true) } }),
    block(index, 3, 'text', paragraph(index + 3), [0.1, 0.25, 0.9, 0.35]),
    { ...block(index, 4, 'table', 'table', [0.1, 0.4, 0.9, 0.6]), table: table(index) },
    block(index, 5, 'text', `${paragraph(index + 9)} This paragraph is broken by the page`, [0.1, 0.65, 0.9, 0.8]),
    block(index, 6, 'footnote', `1 ${sentence(index * 5)}`, [0.1, 0.85, 0.9, 0.87], { oneLine: true, fields: { look: look(8) } }),
    block(index, 7, 'text', `${index + 1}`, [0.48, 0.95, 0.52, 0.96], { oneLine: true }),
  ]
  return { index, width: 612, height: 792, angle: 0, textSource: 'text-layer', reasons: [], status: 'ok', flags: [], lostWords: 0, blocks }
}

const samples = []
const page = async (index) => {
  if (index % 250 === 0) {
    globalThis.gc?.()
    samples.push({ page: index, heapMb: process.memoryUsage().heapUsed / 2 ** 20 })
  }
  return pageAt(index)
}

const started = process.cpuUsage()
let chunks = 0
const summary = await assemble(
  {
    documentId: 'generated',
    revision: 'r',
    source: { name: 'generated.pdf', path: 'generated.pdf', mediaType: 'application/pdf', bytes: 1, sha256: 'f'.repeat(64) },
    pageIndices: Array.from({ length: pages }, (_, i) => i),
    page,
  },
  { formats: ['json', 'md', 'blocks', 'chunks', 'mineru'], chunks: { maxTokens: 512, minTokens: 64 } },
  new FolderSink(folder),
  { chunk: () => void chunks++ },
)
const { user, system } = process.cpuUsage(started)
const maxRssMb = process.resourceUsage().maxRSS / 1024
console.log(JSON.stringify({ ...summary, chunks, samples, maxRssMb, cpuMsPerPage: (user + system) / 1000 / pages }))
