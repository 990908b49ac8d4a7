// Draws the layout of a page over its picture: node scripts/show-layout.mjs FILE PAGE [OUT.png]. PAGE counts from 1.
// Without OUT the blocks are only listed. A page without words is looked at by the text finder first.
import { statSync } from 'node:fs'
import sharp from 'sharp'
import { configSchema } from '../dist/config/config.js'
import { documentReader } from '../dist/runtime/documents/open-document-reader.js'
import { layoutPage } from '../dist/stages/layout/layout-page.js'
import { unplacedWords } from '../dist/stages/layout/unplaced-words.js'

const [file, pageNumber = '1', out] = process.argv.slice(2)
if (!file) {
  console.error('usage: node scripts/show-layout.mjs FILE PAGE [OUT.png]')
  process.exit(2)
}

const colors = {
  heading: '#d62728', text: '#1f77b4', list_item: '#2ca02c', table: '#9467bd', figure: '#ff7f0e', chart: '#ff7f0e', caption: '#bcbd22',
  footnote: '#8c564b', formula: '#e377c2', code: '#17becf', page_header: '#7f7f7f', page_footer: '#7f7f7f', page_number: '#7f7f7f',
} // prettier-ignore

const config = configSchema.parse({ workers: 1 })
const reader = documentReader(config)
try {
  const source = { name: file, path: file, mediaType: '', bytes: statSync(file).size, sha256: '' }
  const document = await reader.open(source, {})
  const index = Number(pageNumber) - 1
  const textLayer = await document.textLayer(index)
  const picture = () => document.picture(index, { dpi: 100, angle: 0, channels: 3 })
  const regions = textLayer.words.length === 0 ? await findRegions(document, index) : []
  const page = { documentId: 'd', revision: 'r', pageIndex: index, pageCount: document.info.pageCount, ocr: 'auto', source }
  const verdict = { kind: regions.length > 0 ? 'needs-reading' : 'text-layer', reasons: [], regions, modelUsed: false, badStyles: [] }
  const input = { page, frame: { width: textLayer.width, height: textLayer.height, angle: 0 }, textLayer, verdict }
  const blocks = layoutPage(input)
  list(blocks, textLayer)
  console.log('unplaced', JSON.stringify(unplacedWords(input, blocks)))
  if (out) await draw(await picture(), blocks, out)
} finally {
  await reader[Symbol.asyncDispose]()
}

function list(blocks, layer) {
  for (const [order, block] of blocks.entries()) {
    const cells = block.table?.cells.flatMap((cell) => cell.lines) ?? []
    const text = [...block.lines, ...cells].map((line) => lineText(line, layer)).join(' / ')
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

function lineText(line, layer) {
  if (line.region !== undefined) return `<${line.region}>`
  return (line.words ?? []).map((w, i) => (i > 0 && layer.words[w].spaceBefore ? ' ' : '') + layer.words[w].text).join('')
}

function shorten(text) {
  return (process.env.FULL ? text : text.length > 150 ? `${text.slice(0, 90)} … ${text.slice(-50)}` : text)
}

async function findRegions(document, index) {
  const { textEngines } = await import('../dist/runtime/pp-ocr/text-engines.js')
  const engines = await textEngines(config)
  try {
    const picture = await document.picture(index, { dpi: 'native', angle: 0, channels: 3 })
    return (await engines.finder.find(picture, { longSidePx: 1280 })).regions
  } finally {
    await engines[Symbol.asyncDispose]?.()
  }
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
