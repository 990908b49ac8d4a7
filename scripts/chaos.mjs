// Runs fault injection on many seeds and writes what came of it: `npm run chaos -- --seeds N [--from S] [--model] [--report]`.
// `--model`: a vision-language model reads, whose engine has faults of its own.
// `--report` adds the runs to docs/chaos.md, which counts every seed once, with its last run.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = `${root}docs/chaos.md`
const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '20' }, from: { type: 'string', default: '1' }, model: { type: 'boolean' }, report: { type: 'boolean' } },
})
const tests = `test/chaos/${values.model ? 'model-chaos' : 'chaos'}.test.ts`
const folder = mkdtempSync(join(tmpdir(), 'pagestream-chaos-results-'))
const file = join(folder, 'seeds.jsonl')

const { status } = spawnSync(`${root}node_modules/.bin/vitest`, ['run', '--project', 'chaos', tests], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, CHAOS_SEEDS: values.seeds, CHAOS_FROM: values.from, CHAOS_RESULTS: file },
})
const results = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse) : []
rmSync(folder, { recursive: true })
if (values.report) writeFileSync(page, report(results))
process.exitCode = status ?? 1

/** The table of the page is also where earlier runs are read from. */
function earlierRows() {
  if (!existsSync(page)) return []
  return [...readFileSync(page, 'utf8').matchAll(/^\| ((?:model )?\d+) \|.*$/gm)].map(([row, seed]) => [seed, row])
}

function report(runs) {
  const rows = new Map(earlierRows())
  for (const run of runs) rows.set(nameOf(run), rowOf(run))
  const number = (name) => Number(name.replace('model ', ''))
  const sorted = [...rows].sort(([a], [b]) => isModel(a) - isModel(b) || number(a) - number(b)).map(([, row]) => row)
  const cells = sorted.map((row) => row.split('|').map((cell) => cell.trim()))
  const kinds = new Map()
  for (const [, , , faults] of cells) {
    for (const [, count, kind] of faults.matchAll(/(\d+) ([a-z ]+)/g)) kinds.set(kind, (kinds.get(kind) ?? 0) + Number(count))
  }
  const bad = cells.filter(([, , , , , , violations]) => violations !== 'none').length
  return `# Fault injection

Written by \`npm run chaos -- --seeds N --from S --report\`. Every seed draws how the stages are spread over worker processes, when eight small
documents are submitted (some of them twice; two of them are no documents), and what goes wrong meanwhile. The processes, the broker and the store are
real; what a seed cannot decide is how they interleave, so a seed that passes once may fail another time.

After every run the history of all topics, the committed offsets seen on the way and the store are compared with those of a run without faults: one
final state for every document, the same blocks, chunks and output files byte for byte, no event id with two bodies, no commit in front of unfinished
work, no dead letter that a run without faults does not have, every record committed in the end. Events that came again have the id and the body that they
had: they tell how much work the faults met.

The runs were made while the code went on; a seed that failed stands here with its run after the cause was mended. What seeds have found: blocks that were
never sent when a process died between keeping a page and sending it (27, 31), offsets committed backwards by a member that had been away (46, 62), processes
that had drained or failed at start and stayed in their groups (92, 197).

In seeds that are called \`model\` a vision-language model reads scans, and its engine hangs for a while, breaks answers off, says that it is busy (429, 503),
is slow, or is started anew; in the end it has no question in hand. What these have found: questions that were given to the line reader because the engine had
lost them once, or because the worker itself had stood still.

A freeze is SIGSTOP for longer than a session, then SIGCONT. With store errors up to 8 % of all calls of the store fail, half of them after they were done.

${rows.size} seeds, ${bad} with violations. Faults: ${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ')}.

| seed | seconds | faults | events that came again | workers that ended by themselves | violations |
| --- | --- | --- | --- | --- | --- |
${sorted.map((row) => `${row}\n`).join('')}`
}

function isModel(name) {
  return Number(name.startsWith('model'))
}

function nameOf({ seed, hasEngine }) {
  return hasEngine ? `model ${seed}` : `${seed}`
}

function rowOf(run) {
  const { seconds, faults, repeated, endedAlone, violations } = run
  const drawn = Object.entries(faults)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`)
  const wrong = violations.length === 0 ? 'none' : `${violations.length}: ${violations[0].replaceAll('|', '/').slice(0, 200)}`
  return `| ${nameOf(run)} | ${seconds.toFixed(0)} | ${drawn.join(', ')} | ${repeated} | ${endedAlone} | ${wrong} |`
}
