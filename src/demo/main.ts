import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { packageRoot } from '../config/package-root.ts'
import { parse } from '../index.ts'
import type { DocumentEvent } from '../parse/parse-events.ts'
import { stageNames } from '../schema/stage.ts'
import type { Counters } from '../telemetry/counters.ts'

/** The sample documents through all five stages, from scratch; says what each stage did and where the results lie. */
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
printDocuments(documents, seconds)
process.exitCode = documents.some((document) => document.status !== 'complete') ? 1 : 0

function printStages(counts: Counters, wallSeconds: number): void {
  for (const name of stageNames) {
    const { pagesOk, pagesFailed, busySeconds } = counts.stages[name]
    const rate = pagesOk / Math.max(busySeconds, 0.001)
    const failed = pagesFailed > 0 ? `, ${pagesFailed} failed` : ''
    process.stdout.write(
      `${name.padEnd(20)} ${String(pagesOk).padStart(3)} pages  ${rate.toFixed(1).padStart(8)} pages/s${failed}${name === 'text-finder' ? gate(counts) : ''}\n`,
    )
  }
  process.stdout.write(
    `${'all stages'.padEnd(20)} ${String(counts.stages['page-render'].pagesOk).padStart(3)} pages  ${(counts.stages['page-render'].pagesOk / wallSeconds).toFixed(1).padStart(8)} pages/s\n\n`,
  )
}

function gate({ verdicts, pagesWithoutModel, stages }: Counters): string {
  const pages = Math.max(1, stages['text-finder'].pagesOk)
  const kinds = Object.entries(verdicts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`)
  return `  gate: ${Math.round((100 * pagesWithoutModel) / pages)} % decided without a model (${kinds.join(', ')})`
}

function printDocuments(done: readonly DocumentEvent[], wallSeconds: number): void {
  for (const { name, status, pages, folder, failure } of done) {
    const result = failure ? `${failure.code}: ${failure.message}` : `${pages} ${pages === 1 ? 'page' : 'pages'}`
    process.stdout.write(`${status.padEnd(9)} ${name.padEnd(24)} ${result.padEnd(9)} ${relative(process.cwd(), join(folder, 'document.html'))}\n`)
  }
  process.stdout.write(
    `\n${done.length} documents in ${wallSeconds.toFixed(1)} s. Open a document.html in a browser; beside it lie document.json, document.md, blocks.jsonl and chunks.jsonl.\n`,
  )
}
