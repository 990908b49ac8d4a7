// The small samples: a blank page, a page with a broken text layer, a scan and a photo.
import sharp from 'sharp'
import { a4, bytesOf, newDocument } from './document.mjs'
import { letter, minutes, notice } from './letters-text.mjs'
import { plainPage } from './plain-page.mjs'
import { bellShaped, intoSquare, randomNumbers, sample, toByte } from './raster.mjs'
import { renderPage } from './render-page.mjs'

/** blank.pdf: a page on which nothing is drawn. */
export async function makeBlank() {
  const doc = newDocument('blank', { Title: 'A blank page' })
  doc.addPage()
  return bytesOf(doc)
}

/** How far glyph numbers of common TrueType faces lie below the characters: what programs write that mistake one for the other. */
const glyphShift = 29

/**
 * garbage-text-layer.pdf: it looks right, but its fonts map every code to the character 29 places below, so that
 * `The` copies as `7KH`. Files with this fault are common: their maker took glyph numbers for characters.
 */
export async function makeGarbageTextLayer() {
  const doc = plainPage('garbage text layer', minutes, { Title: 'Minutes of the Harbour Board' })
  const lowest = 0x20
  const mapping = [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Shifted def /CMapType 2 def',
    `1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <${lowest.toString(16)}> <7E> <${(lowest - glyphShift).toString(16).padStart(4, '0')}> endbfrange`,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n')
  const unicode = doc.ref({})
  unicode.end(mapping)
  for (const font of Object.values(doc._fontFamilies)) {
    font.embed = () => {
      font.dictionary.data = { Type: 'Font', Subtype: 'Type1', BaseFont: font.name, Encoding: 'WinAnsiEncoding', ToUnicode: unicode }
      font.dictionary.end()
    }
  }
  return bytesOf(doc)
}

const scanDpi = 150

/** scan.pdf: a page of paper on a scanner, lying askew by 0.7 degrees, with grain, specks and a shaded edge. No text layer. */
export async function makeScan() {
  const page = await renderPage(await bytesOf(plainPage('letter', letter, {}, 1.12)), scanDpi)
  const { width, height } = page
  const random = randomNumbers(20250314)
  const slope = 0.0122
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const ink = sample(page, x + slope * (y - height / 2), y - slope * (x - width / 2), 255)
      const shade = x < 26 ? (26 - x) * 3 : 0
      data[y * width + x] = toByte(28 + ink * 0.83 - shade + bellShaped(random) * 3)
    }
  }
  for (let i = 0; i < 60; i++) speck(data, width, height, random)
  const jpeg = await sharp(data, { raw: { width, height, channels: 1 } })
    .jpeg({ quality: 50 })
    .toBuffer()
  const doc = newDocument('scan', { Title: 'Scanned letter', Creator: 'pagestream samples, scanner' })
  doc.addPage()
  doc.image(jpeg, 0, 0, { width: a4.width, height: a4.height })
  return bytesOf(doc)
}

function speck(data, width, height, random) {
  const [x, y] = [Math.floor(random() * (width - 3)), Math.floor(random() * (height - 3))]
  for (let dy = 0; dy < 2; dy++) for (let dx = 0; dx < 2; dx++) data[(y + dy) * width + x + dx] = 60 + Math.floor(random() * 60)
}

const photo = { width: 1500, height: 2000 }
/** Where the corners of the sheet lie in the photo, clockwise from its top-left. */
const sheet = [
  [170, 190],
  [1370, 130],
  [1440, 1850],
  [95, 1790],
]

/**
 * photo.jpg: a notice on a table, taken by hand: seen at an angle, darker towards one corner, the shadow of the
 * photographer across it. The pixels lie on their side and EXIF orientation 6 says so, as phones write it.
 */
export async function makePhoto() {
  const page = await renderPage(await bytesOf(plainPage('notice', notice, {}, 1.45)), 150)
  const random = randomNumbers(608)
  const toSheet = intoSquare(sheet)
  const { width, height } = photo
  const pixels = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = toSheet(x, y)
      const onSheet = u >= 0 && u < 1 && v >= 0 && v < 1
      const grain = bellShaped(random) * 2.5
      const light = lightAt(x / width, y / height)
      const base = onSheet ? paper(sample(page, u * page.width, v * page.height, 255)) : wood(x, y)
      // The picture as the sensor has it: turned by a quarter to the left.
      const at = ((width - 1 - x) * height + y) * 3
      for (let channel = 0; channel < 3; channel++) pixels[at + channel] = toByte(base[channel] * light + grain)
    }
  }
  return sharp(pixels, { raw: { width: height, height: width, channels: 3 } })
    .withMetadata({ orientation: 6, density: 72 })
    .jpeg({ quality: 62 })
    .toBuffer()
}

const paper = (ink) => [14 + ink * 0.92, 13 + ink * 0.91, 16 + ink * 0.86]

function wood(x, y) {
  const grain = ((x * 3 + ((y * y) >> 9)) % 41) / 41
  return [118 + grain * 22, 88 + grain * 18, 62 + grain * 12]
}

/** 1 in full light. The shadow has a soft edge that runs across the sheet. */
function lightAt(u, v) {
  const edge = (u * 0.75 + v - 0.95) / 0.12
  const shadow = edge <= 0 ? 0 : edge >= 1 ? 1 : edge * edge * (3 - 2 * edge)
  return (0.98 - 0.14 * u * v) * (1 - 0.3 * shadow)
}
