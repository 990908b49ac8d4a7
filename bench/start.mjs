import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conditions } from './conditions.mjs'
import { generatedFile } from './generated-file.mjs'
import { installNpmPeers, installPythonPeers, peerVersion } from './install-peers.mjs'
import { median, report } from './report.mjs'

const cli = fileURLToPath(new URL('../dist/bundle/cli.js', import.meta.url))
const limitMs = 60_000

/** Milliseconds from starting a process to its end; rejects when it fails. */
function timed(program, args) {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: limitMs })
    let complaints = ''
    child.stderr.on('data', (data) => {
      complaints = `${complaints}${data}`.slice(-1000)
    })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(performance.now() - started) : reject(new Error(`exit code ${code}: ${complaints.trim()}`))))
  })
}

function commands(file, out) {
  const npm = installNpmPeers()
  const python = installPythonPeers()
  const module = (path) => join(npm, 'node_modules', path)
  const unpdf = `import { extractText, getDocumentProxy } from ${JSON.stringify(module('unpdf/dist/index.mjs'))}
import { readFileSync } from 'node:fs'
const { text } = await extractText(await getDocumentProxy(new Uint8Array(readFileSync(${JSON.stringify(file)}))))
console.log(text.join())`
  const kreuzberg = `import kreuzberg; print(kreuzberg.extract_file_sync(${JSON.stringify(file)}, config=kreuzberg.ExtractionConfig(output_format="markdown")).content)`
  const list = [
    { label: 'node, nothing at all', program: process.execPath, args: ['--eval', '0'] },
    { label: 'pagestream', program: process.execPath, args: (round) => [cli, 'parse', file, '--out', join(out, String(round))] },
    { label: 'liteparse', program: process.execPath, args: [module('@llamaindex/liteparse/dist/cli.js'), 'parse', file, '--format', 'markdown', '--no-ocr'] },
    { label: 'pdf-inspector', program: process.execPath, args: [module('@firecrawl/pdf-inspector/bin/pdf-inspector.mjs'), file] },
    { label: 'unpdf', program: process.execPath, args: ['--input-type=module', '--eval', unpdf] },
  ]
  if (python) {
    list.push({ label: 'kreuzberg', program: python, args: ['-c', kreuzberg] })
    list.push({
      label: 'opendataloader-pdf',
      program: join(python, '..', 'opendataloader-pdf'),
      args: [file, '-o', join(out, 'opendataloader'), '-f', 'markdown', '-q'],
    })
  }
  return list
}

/** Milliseconds from process start to the result of a one-page text PDF. */
export async function start({ rounds = 15, save }) {
  const started = conditions()
  const out = mkdtempSync(join(tmpdir(), 'pagestream-start-'))
  const samples = []
  const gone = new Map()
  try {
    const list = commands(generatedFile(1), out)
    for (let round = 0; round <= rounds; round++) {
      for (const { label, program, args } of list) {
        if (gone.has(label)) continue
        try {
          const wallMs = await timed(program, typeof args === 'function' ? args(round) : args)
          if (round > 0) samples.push({ command: label, round, wallMs })
        } catch (error) {
          gone.set(label, error.message)
          console.error(`${label}: ${error.message}`)
        }
      }
    }
    const of = (label) => median(samples.filter((sample) => sample.command === label).map((sample) => sample.wallMs))
    const lowest = (label) => Math.min(...samples.filter((sample) => sample.command === label).map((sample) => sample.wallMs))
    report({
      name: 'start',
      title: 'From process start to the result of a one-page PDF',
      conditions: {
        ...started,
        rounds,
        peers: Object.fromEntries(
          ['@llamaindex/liteparse', '@firecrawl/pdf-inspector', 'unpdf', 'kreuzberg', 'opendataloader-pdf'].map((name) => [name, peerVersion(name)]),
        ),
      },
      tables: [
        {
          heading: 'Milliseconds',
          rows: list
            .filter(({ label }) => !gone.has(label))
            .map(({ label }) => ({ command: label, 'median ms': of(label).toFixed(0), 'lowest ms': lowest(label).toFixed(0), n: rounds })),
        },
      ],
      notes: [
        'Commands take turns; files are in the page cache after a first round that is not counted.',
        'pagestream writes document.json, document.md, blocks.jsonl and chunks.jsonl.',
      ],
      ratio: `pagestream / liteparse, start to result: ${(of('pagestream') / of('liteparse')).toFixed(2)}`,
      data: { samples },
      save,
    })
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
