import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conditions } from './conditions.mjs'
import { nodeContender, pythonContender } from './contender.mjs'
import { generatedFile } from './generated-file.mjs'
import { installNpmPeers, installPythonPeers, peerVersion } from './install-peers.mjs'
import { median, report } from './report.mjs'

const corpus = fileURLToPath(new URL('../../shared/corpus/', import.meta.url))
const paperNames = [
  'multi-column-2p',
  'medium',
  'multicolumn',
  'bug1997343',
  'code_and_formula',
  '2305.03393v1-pg9',
  'federal-register-2020-17221',
  'GeoTopo-komprimiert',
]

/** What the peers are asked for, and no more: no OCR, no pictures. `workers` 1 keeps pagestream's PDF work on one thread. */
const ours = (workers) => ({ formats: ['json', 'md', 'chunks'], images: false, ocr: 'never', workers })

function corpusPapers() {
  if (!existsSync(corpus)) return []
  const manifest = readFileSync(join(corpus, 'manifest.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return paperNames.map((name) => {
    const entry = manifest.find((candidate) => candidate.file === `parse/${name}.pdf`)
    return { file: join(corpus, 'parse', `${name}.pdf`), pages: entry.pages }
  })
}

/** Sets of documents, each measured as one call. Slow peers read the long document once or not at all. */
function documentSets() {
  const papers = corpusPapers()
  if (papers.length === 0) console.error('without the papers: the corpus is not there')
  const sets = [{ name: 'generated document of 500 pages', files: [generatedFile(500)], pages: 500, forSlow: false }]
  const pages = papers.reduce((sum, paper) => sum + paper.pages, 0)
  if (papers.length > 0) sets.unshift({ name: `${papers.length} papers, ${pages} pages`, files: papers.map((paper) => paper.file), pages, forSlow: true })
  else sets.push({ name: 'generated document of 50 pages', files: [generatedFile(50)], pages: 50, forSlow: true })
  return sets
}

function contenders() {
  const npm = installNpmPeers()
  const python = installPythonPeers()
  const list = [
    { label: 'pagestream', contender: nodeContender('pagestream', 'pagestream'), request: { config: ours(0) } },
    { label: 'pagestream, one worker', contender: nodeContender('pagestream, one worker', 'pagestream'), request: { config: ours(1) } },
    ...['liteparse', 'pdf-inspector', 'unpdf'].map((kind) => ({ label: kind, contender: nodeContender(kind, kind, npm) })),
  ]
  if (!python) return list
  const inPython = [
    { label: 'kreuzberg', slow: false },
    { label: 'opendataloader-pdf', slow: true },
    { label: 'pymupdf4llm', slow: true },
  ]
  return [...list, ...inPython.map(({ label, slow }) => ({ label, slow, contender: pythonContender(label, label, python) }))]
}

/** One round: every contender on every set, in turn. Slow ones take part in the warm-up and the first round only. */
async function playRound(round, sets, list, samples) {
  for (const set of sets) {
    for (const entry of list) {
      if (entry.gone || (entry.slow && (round > 1 || !set.forSlow))) continue
      try {
        const { wallMs, cpuMs } = await entry.contender.ask({ files: set.files, ...entry.request })
        if (round > 0) samples.push({ set: set.name, contender: entry.label, round, wallMs: wallMs / set.pages, cpuMs: cpuMs / set.pages })
        console.error(`round ${round}  ${set.name}  ${entry.label}: ${(cpuMs / set.pages).toFixed(1)} ms CPU, ${(wallMs / set.pages).toFixed(1)} ms a page`)
      } catch (error) {
        entry.gone = error.message
        console.error(`round ${round}  ${set.name}  ${error.message}`)
      }
    }
  }
}

/** The median of the rounds' own ratios: what slows one round slows both sides of it. */
function ratioOf(samples, set, contender, against) {
  const of = (label) => new Map(samples.filter((sample) => sample.set === set && sample.contender === label).map((sample) => [sample.round, sample.cpuMs]))
  const [own, theirs] = [of(contender), of(against)]
  return median([...own].filter(([round]) => theirs.has(round)).map(([round, cpuMs]) => cpuMs / theirs.get(round)))
}

/** CPU and wall milliseconds a page of born-digital documents to Markdown (pagestream: and JSON and chunks). */
export async function digital({ rounds = 5, save }) {
  const started = conditions()
  const sets = documentSets()
  const list = contenders()
  const samples = []
  for (let round = 0; round <= rounds; round++) await playRound(round, sets, list, samples)
  for (const { contender } of list) contender.close()

  const tables = sets.map((set) => ({
    heading: set.name,
    rows: list.flatMap(({ label, gone }) => {
      const own = samples.filter((sample) => sample.set === set.name && sample.contender === label)
      if (own.length === 0) return gone ? [{ parser: label, 'CPU ms a page': 'failed', 'wall ms a page': gone.slice(0, 60), n: 0 }] : []
      const of = (key) => median(own.map((sample) => sample[key])).toFixed(1)
      return [{ parser: label, 'CPU ms a page': of('cpuMs'), 'wall ms a page': of('wallMs'), n: own.length }]
    }),
  }))
  const ratios = sets.map((set) => `${ratioOf(samples, set.name, 'pagestream', 'liteparse').toFixed(2)} (${set.name})`)
  report({
    name: 'digital',
    title: 'Born-digital documents',
    conditions: {
      ...started,
      rounds,
      peers: Object.fromEntries(
        ['@llamaindex/liteparse', '@firecrawl/pdf-inspector', 'unpdf', 'kreuzberg', 'opendataloader-pdf', 'pymupdf4llm'].map((name) => [
          name,
          peerVersion(name),
        ]),
      ),
    },
    tables,
    notes: [
      'Medians of the rounds after a warm-up; all parsers take turns within a round, each in a process of its own that stays.',
      'pagestream writes document.json, document.md and chunks.jsonl to disk; the others answer with Markdown (unpdf: plain text) in memory, opendataloader-pdf writes Markdown and JSON.',
      'OCR and pictures are off everywhere. CPU time counts all threads and child processes.',
    ],
    ratio: `pagestream / liteparse, CPU a page: ${ratios.join(', ')}`,
    data: { samples },
    save,
  })
}
