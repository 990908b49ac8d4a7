import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { packageRoot } from '../config/package-root.ts'
import { parse } from '../index.ts'
import type { DocumentEvent } from '../parse/parse-events.ts'
import type { BlockKind } from '../schema/block-kind.ts'
import type { Document } from '../schema/document.ts'
import { stageNames } from '../schema/stage.ts'
import type { Counters } from '../telemetry/counters.ts'

/** The sample documents through all five stages, from scratch; says what each stage did, what each document holds and where the results lie. */
const samples = join(packageRoot(), 'samples')
const out = join(process.cwd(), 'demo-out')
const files = readdirSync(samples)
  .filter((name) => /\.(pdf|jpg|png|tif)$/.test(name))
  .sort()
  .map((name) => join(samples, name))

let counters: Counters | undefined
const documents: DocumentEvent[] = []
const started = performance.now()
const run = parse(files, {
  out,
  again: true,
  config: { formats: ['json', 'md', 'blocks', 'chunks', 'html', 'mineru'] },
  onStart: (counts) => {
    counters = counts
  },
})
for await (const event of run) if (event.type === 'document') documents.push(event)
const seconds = (performance.now() - started) / 1000

if (counters) printStages(counters, seconds)
for (const document of documents.sort((a, b) => files.indexOf(a.path) - files.indexOf(b.path))) await printDocument(document)
print(`\n${documents.length} documents in ${seconds.toFixed(1)} s; results in ${relative(process.cwd(), out)}/.`)
print('Open a document.html in a browser: page pictures and text, linked both ways. Beside it lie document.json, document.md, blocks.jsonl and chunks.jsonl.')
process.exitCode = documents.length < files.length || documents.some((document) => document.status !== 'complete') ? 1 : 0

function printStages(counts: Counters, wallSeconds: number): void {
  for (const name of stageNames) {
    const { pagesOk, pagesFailed, busySeconds } = counts.stages[name]
    const failed = pagesFailed > 0 ? `  ${pagesFailed} failed` : ''
    print(`${stageLine(name, pagesOk, busySeconds)}${failed}${name === 'text-finder' ? gate(counts) : ''}`)
  }
  print(`${stageLine('all stages', counts.stages['page-render'].pagesOk, wallSeconds)}\n`)
}

/** Pages a second of the time in which the stage had pages; stages work at the same time. */
function stageLine(name: string, pages: number, busySeconds: number): string {
  const rate = pages / Math.max(busySeconds, 0.001)
  return `${name.padEnd(20)} ${String(pages).padStart(3)} pages  ${rate.toFixed(1).padStart(7)} pages/s`
}

function gate({ verdicts, pagesWithoutModel, stages }: Counters): string {
  const pages = Math.max(1, stages['text-finder'].pagesOk)
  const kinds = Object.entries(verdicts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`)
  return `  gate: ${Math.round((100 * pagesWithoutModel) / pages)} % decided without a model (${kinds.join(', ')})`
}

async function printDocument(event: DocumentEvent): Promise<void> {
  const { name, status, pages, folder, failure } = event
  const result = failure ? `${failure.code}: ${failure.message}` : `${count(pages, 'page')}, ${contentOf(await event.document())}`
  print(`${status.padEnd(9)} ${name.padEnd(24)} ${result}`)
  if (!failure) print(`${' '.repeat(10)}${relative(process.cwd(), join(folder, 'document.html'))}`)
}

/** What a document holds, in a few words: `92 blocks (20 headings, 3 tables, 2 figures) from the text layer`. */
function contentOf({ blocks, pages }: Document): string {
  if (blocks.length === 0) return 'nothing to read'
  const told: readonly [BlockKind, string][] = [
    ['heading', 'heading'],
    ['list_item', 'list item'],
    ['table', 'table'],
    ['figure', 'figure'],
    ['formula', 'formula'],
  ]
  const parts = told.map(([kind, word]) => [blocks.filter((block) => block.kind === kind).length, word] as const).filter(([number]) => number > 0)
  const sources = [...new Set(pages.map((page) => page.textSource))].map(
    (source) => ({ 'text-layer': 'text layer', ocr: 'picture', vlm: 'picture', mixed: 'text layer and picture', none: '' })[source],
  )
  const list = parts.length > 0 ? ` (${parts.map(([number, word]) => count(number, word)).join(', ')})` : ''
  return `${count(blocks.length, 'block')}${list} from the ${sources.filter(Boolean).join(', ')}`
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
