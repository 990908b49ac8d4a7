import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { conditions } from './conditions.mjs'
import { generatedFile } from './generated-file.mjs'
import { report } from './report.mjs'

const cli = fileURLToPath(new URL('../dist/bundle/cli.js', import.meta.url))
const limitMs = 1_200_000
const mb = 1024 ** 2

/** A field of /proc/<pid>/status in megabytes: VmRSS, VmHWM (the highest so far). */
function memoryOf(pid, field) {
  try {
    const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm'))
    return line ? Math.round((Number(line[1]) * 1024) / mb) : 0
  } catch {
    return 0
  }
}

/** Runs `pagestream parse` and looks at its resident memory after every `everyPages` finished pages. */
async function watch(files, everyPages, flags = []) {
  const out = mkdtempSync(join(tmpdir(), 'pagestream-memory-'))
  const started = performance.now()
  const child = spawn(process.execPath, [cli, 'parse', ...files, '--out', out, '--json', '--no-images', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: limitMs,
  })
  const marks = []
  let pages = 0
  let highest = 0
  let last
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      last = JSON.parse(line)
      highest = Math.max(highest, memoryOf(child.pid, 'VmHWM'))
      if (last.event === 'page' && ++pages % everyPages === 0)
        marks.push({ page: pages, residentMb: memoryOf(child.pid, 'VmRSS'), seconds: (performance.now() - started) / 1000 })
      if (last.event === 'document')
        marks.push({ page: pages, residentMb: memoryOf(child.pid, 'VmRSS'), seconds: (performance.now() - started) / 1000, end: true, status: last.status })
    }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
  if (last?.event !== 'end' || last.failed + last.partial > 0) throw new Error(`pagestream ended with ${JSON.stringify(last)}`)
  return { marks, pages, highestMb: highest, seconds: (performance.now() - started) / 1000 }
}

/** Resident memory over a document of 5,000 pages, and of 16 documents at once. */
export async function memory({ save }) {
  const started = conditions()
  const long = await watch([generatedFile(5000)], 500)
  const many = await watch(
    Array.from({ length: 16 }, (_, i) => generatedFile(100, i + 1)),
    100,
  )
  const [first, end] = [long.marks[0], long.marks.at(-1)]
  report({
    name: 'memory',
    title: 'Resident memory',
    conditions: { ...started, n: 1 },
    tables: [
      {
        heading: 'One generated document of 5,000 pages',
        rows: long.marks.map((mark) => ({
          'after page': mark.end ? 'end of document' : mark.page,
          'resident MB': mark.residentMb,
          seconds: mark.seconds.toFixed(1),
        })),
      },
      {
        heading: 'Highest resident memory',
        rows: [
          { run: 'one document of 5,000 pages', pages: long.pages, 'highest MB': long.highestMb, seconds: long.seconds.toFixed(1) },
          { run: '16 documents of 100 pages at once', pages: many.pages, 'highest MB': many.highestMb, seconds: many.seconds.toFixed(1) },
        ],
      },
    ],
    notes: ['`pagestream parse --no-images` with the default configuration; the process with all its threads, from the system.'],
    ratio: `resident at the end / after page 500: ${(end.residentMb / first.residentMb).toFixed(2)}; highest / 400 MB: ${(long.highestMb / 400).toFixed(2)}`,
    data: { long, many },
    save,
  })
}
