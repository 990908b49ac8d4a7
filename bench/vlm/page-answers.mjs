// What the stub of an engine answers about the pages of block-pages.mjs: `run-stub.mjs --script-file` loads it. With BENCH_RECORD it also appends the
// body of every question to that file.
import { appendFileSync } from 'node:fs'
import sharp from 'sharp'
import { Prose, randomFrom } from '../prose.mjs'
import { layoutAnswer, pageMark } from './block-pages.mjs'

const recordFile = process.env.BENCH_RECORD

/** Pixels of a crop for each character of its answer, at 200 dpi: as much as print of 10 points has. */
const pixelsACharacter = 785

/** The number that the squares at the upper edge say; undefined where there are none. */
async function seedOf(picture) {
  const { left, top, side, step, bits, pageWidth, pageHeight } = pageMark
  const row = Math.round(((top + side / 2) / pageHeight) * picture.height)
  const { data, info } = await sharp(picture.bytes())
    .extract({ left: 0, top: row, width: picture.width, height: 1 })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const isBlack = (i) => data[Math.round(((left + i * step + side / 2) / pageWidth) * picture.width) * info.channels] < 128
  if (!isBlack(0)) return undefined
  return Array.from({ length: bits }, (_, bit) => (isBlack(bit + 1) ? 1 << bit : 0)).reduce((sum, value) => sum + value, 0)
}

function tableOf(characters, prose) {
  const rows = Math.max(2, Math.round(characters / 4 / 8))
  return Array.from({ length: rows }, () => `${Array.from({ length: 4 }, () => `<fcel>${prose.between(1, 9999) / 100}`).join('')}<nl>`).join('')
}

const formulaOf = (characters, prose) =>
  `\\[ E_{${prose.between(1, 99)}} = ${Array.from({ length: Math.round(characters / 8) }, () => prose.between(1, 999)).join(' + ')} \\]`

function proseOf(characters, prose) {
  let text = prose.sentence()
  while (text.length < characters) text += ` ${prose.sentence()}`
  return text.slice(0, Math.max(2, characters))
}

/** Of a length that goes with the size of the crop: the same for the same crop, whoever asks. */
function blockAnswer(prompt, { width, height }) {
  const prose = new Prose(randomFrom(width * 4096 + height))
  const characters = Math.round(((width * height) / pixelsACharacter) * (0.8 + prose.between(0, 40) / 100))
  if (/table/i.test(prompt)) return tableOf(characters, prose)
  return /formula/i.test(prompt) ? formulaOf(characters, prose) : proseOf(characters, prose)
}

/** A page without the mark is the known page with which a model is tried: one block, so that a start is short. */
const probeAnswer = '<|box_start|>100 100 900 200<|box_end|><|ref_start|>text<|ref_end|><|rotate_up|>'

export async function script({ prompt, pictures: [picture], body }) {
  if (recordFile) appendFileSync(recordFile, `${JSON.stringify(body)}\n`)
  if (picture === undefined) return ''
  if (!/layout detection/i.test(prompt)) return blockAnswer(prompt, picture)
  const seed = await seedOf(picture)
  return seed === undefined ? probeAnswer : layoutAnswer(seed)
}
