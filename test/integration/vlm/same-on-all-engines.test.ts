import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConfigLayer } from '../../../src/config/load-config.ts'
import { parse } from '../../../src/parse/parse.ts'
import { type Document, documentSchema } from '../../../src/schema/document.ts'
import type { Counters } from '../../../src/telemetry/counters.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { colouredPage } from '../../support/vlm/coloured-page.ts'
import { llamaBuild } from '../../support/vlm/llama-build.ts'
import { startTinyLlamaServer } from '../../support/vlm/tiny-llama-server.ts'
import { tinyModel } from '../../support/vlm/tiny-model.ts'

const [build, model] = [await llamaBuild(), tinyModel()]
const missing = 'missing' in build ? build.missing : 'missing' in model ? model.missing : undefined
const path = process.env.PATH
beforeAll(() => {
  if (!('missing' in build)) process.env.PATH = `${build.folder}:${path}`
})
afterAll(() => {
  process.env.PATH = path
})

const inProcess = (): ConfigLayer => {
  if ('missing' in build || 'missing' in model) throw new Error('it is skipped where these are missing')
  return { kind: 'llama-cpp', library: build.folder, model: model.model, projector: model.projector, slots: 2 }
}
const managed = (): ConfigLayer => {
  if ('missing' in model) throw new Error('it is skipped where it is missing')
  const few = ['-t', '2', '-c', '16384', '-np', '2', '--image-max-tokens', '256', '--alias', 'tiny-vlm']
  return { kind: 'llama-server', managed: true, model: model.model, projector: model.projector, arguments: few, startMs: 60_000 }
}

/** Reads the coloured page so many times over, as documents of their own. */
async function read(family: string, engine: ConfigLayer, pages = 1, onStart: (counters: Counters) => void = () => {}): Promise<Document[]> {
  const folder = await tempFolder()
  const names = Array.from({ length: pages }, (_, i) => `page-${i}.png`)
  for (const [i, name] of names.entries()) await writeFile(join(folder, name), colouredPage(i))
  const out = join(folder, 'out')
  const config = { images: false, formats: ['json'], device: 'cpu', ocr: 'always', vlm: { family, engine } }
  for await (const event of parse(
    names.map((name) => join(folder, name)),
    { out, config, onStart },
  )) {
    if (event.type === 'document') expect(event.failure).toBeUndefined()
  }
  return Promise.all(names.map(async (name) => documentSchema.parse(JSON.parse(await readFile(join(out, name, 'document.json'), 'utf8')))))
}

const said = ({ blocks }: Document) => blocks.map(({ kind, box, angle, text, latex, table, flags }) => ({ kind, box, angle, text, latex, table, flags }))

describe.skipIf(missing !== undefined)(`a page read by MinerU2.5 and TeleOCR${missing === undefined ? '' : ` (needs ${missing})`}`, () => {
  it.each([
    ['mineru2.5', 'llama-server'],
    ['teleocr', 'openai'],
  ])('says the same over HTTP, from a managed server and from the library in a child process: %s', { timeout: 120_000 }, async (family, kind) => {
    const server = await startTinyLlamaServer()
    if ('missing' in server) throw new Error(server.missing)
    const [overHttp] = await read(family, { kind, urls: [server.url] }).finally(() => server.close())
    const [inChild] = await read(family, inProcess())
    expect(said(inChild as Document)).toEqual(said(overHttp as Document))
    expect(said(inChild as Document).length).toBeGreaterThan(3)
    if (family === 'teleocr') return // no server of ours is started for it but vLLM
    const [fromManaged] = await read(family, managed())
    expect(said(fromManaged as Document)).toEqual(said(overHttp as Document))
  })

  it('loses nothing when the managed server is killed in the middle', { timeout: 120_000 }, async () => {
    let killed = 0
    const documents = await read('mineru2.5', managed(), 12, (counters) => {
      const timer = setInterval(async () => {
        if (counters.vlm.outputTokens < 500 || killed > 0) return
        clearInterval(timer)
        killed = await killServers()
      }, 20)
      timer.unref()
    })
    expect(killed).toBeGreaterThan(0)
    expect(documents.map(({ status }) => status)).toEqual(documents.map(() => 'complete'))
    const first = said(documents[0] as Document)
    for (const document of documents) expect(said(document)).toEqual(first)
  })
})

/** Kills the servers that this process has started, at once. */
async function killServers(): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args='])
  const processes = stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  })
  const ours = new Set([process.pid])
  for (let grown = -1; grown < ours.size; ) {
    grown = ours.size
    for (const { pid, parent } of processes) if (ours.has(parent)) ours.add(pid)
  }
  const servers = processes.filter(({ pid, command }) => ours.has(pid) && /^\S*llama-server\s/.test(command))
  for (const { pid } of servers) process.kill(pid, 'SIGKILL')
  return servers.length
}
