// Draws the layout of a page over its picture: node scripts/show-layout.mjs FILE PAGE [OUT.png]. PAGE counts from 1.
// Without OUT the blocks are only listed. READ=1 reads the regions of a scan as well, FULL=1 prints all of each block.
import { statSync } from 'node:fs'
import sharp from 'sharp'
import { configSchema } from '../dist/config/config.js'
import { documentPool } from '../dist/runtime/documents/document-pool.js'
import { documentReader } from '../dist/runtime/documents/open-document-reader.js'
import { ppOcr } from '../dist/runtime/pp-ocr/pp-ocr.js'
import { layoutPage } from '../dist/stages/layout/layout-page.js'
import { unplacedWords } from '../dist/stages/layout/unplaced-words.js'
import { textFinderStage } from '../dist/stages/text-finder/stage.js'

const [file, pageNumber = '1', out] = process.argv.slice(2)
if (!file) {
  console.error('usage: node scripts/show-layout.mjs FILE PAGE [OUT.png]')
  process.exit(2)
}

const colors = {
  heading: '#d62728',
  text: '#1f77b4',
  list_item: '#2ca02c',
  table: '#9467bd',
  figure: '#ff7f0e',
  chart: '#ff7f0e',
  caption: '#bcbd22',
  footnote: '#8c564b',
  formula: '#e377c2',
  code: '#17becf',
  page_header: '#7f7f7f',
  page_footer: '#7f7f7f',
  page_number: '#7f7f7f',
} // prettier-ignore

const config = configSchema.parse({ workers: 1 })
const reader = documentReader(config)
const documents = documentPool(reader, config, () => undefined)
const ocr = ppOcr(config)
try {
  const source = { name: file, path: file, mediaType: file.endsWith('.pdf') ? 'application/pdf' : 'image/any', bytes: statSync(file).size, sha256: file }
  const index = Number(pageNumber) - 1
  await documents.use(source, async (document) => {
    const textLayer = await document.textLayer(index)
    const page = { documentId: 'd', revision: 'r', pageIndex: index, pageCount: document.info.pageCount, ocr: 'auto', source }
    const rendered = { page, frame: { width: textLayer.width, height: textLayer.height, angle: 0 }, textLayer }
    const input = await gate(rendered)
    console.log('gate', input.verdict.kind, input.verdict.reasons.join(), `${input.verdict.regions.length} regions`, `angle ${input.frame.angle}`)
    const blocks = layoutPage(input)
    list(blocks, input.textLayer, await readRegions(document, input))
    console.log('unplaced', JSON.stringify(unplacedWords(input, blocks)))
    if (out) await draw(await document.picture(index, { dpi: 100, angle: input.frame.angle, channels: 3 }), blocks, out)
  })
} finally {
  await documents[Symbol.asyncDispose]()
  await reader[Symbol.asyncDispose]()
  await ocr[Symbol.asyncDispose]()
}

async function gate(rendered) {
  const stage = textFinderStage({ documents, finder: ocr.finder, reader: ocr.reader, config })
  for await (const outcome of stage.process({ id: 0, pages: [rendered] }, new AbortController().signal)) {
    if (outcome.kind === 'done') return outcome.value
    throw new Error(outcome.failure.message)
  }
  throw new Error('the gate gave no answer')
}

async function readRegions(document, input) {
  if (input.verdict.regions.length === 0 || !process.env.READ) return []
  const picture = await document.picture(input.page.pageIndex, { dpi: 'native', angle: input.frame.angle, channels: 3 })
  return (await ocr.reader.read(picture, input.verdict.regions)).map((line) => line.text)
}

function list(blocks, layer, read) {
  for (const [order, block] of blocks.entries()) {
    const cells = block.table?.cells.flatMap((cell) => cell.lines) ?? []
    const text = [...block.lines, ...cells].map((line) => lineText(line, layer, read)).join(' / ')
    const notes = [
      block.level && `level ${block.level}`,
      block.marker && `marker ${block.marker}`,
      block.depth && `depth ${block.depth}`,
      block.parent !== undefined && `of ${block.parent}`,
      block.angle && `angle ${block.angle}`,
      block.vertical && 'vertical',
      block.rightToLeft && 'rtl',
      block.table && `${block.table.rows}x${block.table.columns}`,
      ...block.flags,
    ].filter(Boolean)
    console.log(`${String(order).padStart(3)} ${block.kind.padEnd(12)} ${notes.length > 0 ? `(${notes.join(', ')}) ` : ''}${shorten(text)}`)
  }
}

function lineText(line, layer, read) {
  if (line.region !== undefined) return read[line.region] ?? `<${line.region}>`
  return (line.words ?? []).map((w, i) => (i > 0 && layer.words[w].spaceBefore ? ' ' : '') + layer.words[w].text).join('')
}

function shorten(text) {
  return process.env.FULL ? text : text.length > 150 ? `${text.slice(0, 90)} … ${text.slice(-50)}` : text
}

async function draw(picture, blocks, path) {
  const { width, height } = picture
  const shapes = blocks.map((block, order) => {
    const [x0, y0, x1, y1] = block.box.map((v, i) => v * (i % 2 === 0 ? width : height))
    const color = colors[block.kind] ?? '#444444'
    const arrow = block.parent === undefined ? '' : ` of ${block.parent}`
    return `<rect x="${x0}" y="${y0}" width="${x1 - x0}" height="${y1 - y0}" fill="${color}" fill-opacity="0.12" stroke="${color}" stroke-width="1.5"/>
      <text x="${Math.max(0, x0 - 2)}" y="${Math.max(9, y0 - 1)}" font-size="10" font-family="sans-serif" fill="${color}">${order} ${block.kind}${arrow}</text>`
  })
  const overlay = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes.join('')}</svg>`
  await sharp(picture.data, { raw: { width, height, channels: picture.channels } })
    .composite([{ input: Buffer.from(overlay) }])
    .png()
    .toFile(path)
}
