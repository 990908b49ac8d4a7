// Measures one parser on lists of files: `node node-worker.mjs KIND FOLDER_WITH_PEERS`, requests and answers as lines of JSON.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const [kind, peers] = process.argv.slice(2)
const peer = (path) => import(pathToFileURL(join(peers, 'node_modules', path)).href)

/** pagestream as a user of the library meets it; outputs go to a new folder each time, read and removed after the clock stopped. */
async function pagestream() {
  const { parse } = await import('../../dist/bundle/index.js')
  return async ({ files, config, withTexts }) => {
    const out = mkdtempSync(join(tmpdir(), 'pagestream-bench-'))
    const done = []
    for await (const event of parse(files, { out, config })) {
      if (event.type !== 'document') continue
      if (event.status !== 'complete') throw new Error(`${event.name}: ${event.status} ${event.failure?.message ?? ''}`)
      done.push(event)
    }
    const after = async () => {
      const texts = {}
      for (const event of withTexts ? done : []) texts[event.path] = (await event.document()).blocks.map((block) => block.text ?? '').join('\n')
      rmSync(out, { recursive: true, force: true })
      return { documents: done.length, ...(withTexts ? { texts } : {}) }
    }
    return { after }
  }
}

/** The highest resident memory of the process so far, where the system tells. */
function highestMb() {
  try {
    const line = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))
    return Math.round(Number(line?.[1]) / 1024)
  } catch {
    return undefined
  }
}

const overFiles =
  (read) =>
  async ({ files }) => {
    let characters = 0
    for (const file of files) characters += await read(file)
    return { characters }
  }

const kinds = {
  pagestream,
  liteparse: async () => {
    const { LiteParse } = await peer('@llamaindex/liteparse/dist/lib.js')
    const parser = new LiteParse({ outputFormat: 'markdown', ocrEnabled: false, imageMode: 'off', quiet: true, maxPages: 1_000_000 })
    return overFiles(async (file) => (await parser.parse(file)).text.length)
  },
  'pdf-inspector': async () => {
    const inspector = await peer('@firecrawl/pdf-inspector/index.js')
    const { processPdf } = inspector.default ?? inspector
    return overFiles((file) => (processPdf(readFileSync(file)).markdown ?? '').length)
  },
  unpdf: async () => {
    const { extractText, getDocumentProxy } = await peer('unpdf/dist/index.mjs')
    return overFiles(async (file) => {
      const { text } = await extractText(await getDocumentProxy(new Uint8Array(readFileSync(file))), { mergePages: false })
      return text.join('\n').length
    })
  },
}

const run = await kinds[kind]()
for await (const line of createInterface({ input: process.stdin })) {
  let answer
  try {
    const [cpu, started] = [process.cpuUsage(), performance.now()]
    const { after, ...found } = await run(JSON.parse(line))
    const used = process.cpuUsage(cpu)
    answer = {
      wallMs: performance.now() - started,
      cpuMs: (used.user + used.system) / 1000,
      endedAt: performance.timeOrigin + performance.now(),
      highestMb: highestMb(),
      ...found,
    }
    Object.assign(answer, await after?.())
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) }
  }
  process.stdout.write(`answer ${JSON.stringify(answer)}\n`)
}
process.exit(0)
