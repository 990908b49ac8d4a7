import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { EngineConfig } from '../../../src/config/vlm-config.ts'
import { vlmConfigSchema } from '../../../src/config/vlm-config.ts'
import { tryPort } from '../../../src/runtime/processes/free-port.ts'
import type { ManagedServer } from '../../../src/runtime/vlm/engines/managed/managed-server.ts'
import { openServer } from '../../../src/runtime/vlm/engines/managed/open-server.ts'
import type { PagestreamError } from '../../../src/schema/failure.ts'
import { isAlive } from '../../support/is-alive.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { llamaBuild } from '../../support/vlm/llama-build.ts'
import { tinyModel } from '../../support/vlm/tiny-model.ts'

const build = await llamaBuild()
const model = tinyModel()
const missing = 'missing' in build ? build.missing : 'missing' in model ? model.missing : undefined
const open: ManagedServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop()
})

async function llamaServer(engine: Partial<EngineConfig> = {}) {
  if ('missing' in build || 'missing' in model) throw new Error('it is skipped where these are missing')
  const notices: string[] = []
  const exits: PagestreamError[] = []
  const few = ['-t', '2', '-c', '16384', '-np', '2', '--image-max-tokens', '256']
  const { server } = await openServer({
    ...{ family: 'mineru2.5', kind: 'llama-server', host: '127.0.0.1', portFor: () => 0, env: { ...process.env, PATH: `${build.folder}:${process.env.PATH}` } },
    engine: { ...vlmConfigSchema.parse({}).engine, model: model.model, projector: model.projector, arguments: few, startMs: 60_000, ...engine },
    device: { kind: 'cpu', id: 'cpu', name: '', driver: '', memoryBytes: 8e9 },
    onNotice: (line) => notices.push(line),
    onExit: (error) => exits.push(error),
  })
  open.push(server)
  return { server, notices, exits }
}

const question = (content: string, maxTokens: number) =>
  JSON.stringify({ messages: [{ role: 'user', content }], stream: true, temperature: 0, max_tokens: maxTokens })
const ask = (url: string | undefined, content: string, maxTokens = 50): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, { method: 'POST', body: question(content, maxTokens) })

describe.skipIf(missing)(`a managed llama-server${missing ? ` (needs ${missing})` : ''}`, () => {
  it('is ready with the tiny model and keeps special tokens', async () => {
    const { server, notices } = await llamaServer()
    await server.start()
    expect(notices.at(-1)).toBe(`llama-server is ready at ${server.url}`)
    const props = (await (await fetch(`${server.url}/props`)).json()) as { total_slots: number; modalities: { vision: boolean } }
    expect(props).toMatchObject({ total_slots: 2, modalities: { vision: true } })
    expect(await (await ask(server.url, 'Text Recognition:')).text()).toContain('<|im_end|>')
    expect((await fetch(`${server.url}/metrics`)).status).toBe(200)
  })

  it('comes again after it was killed', async () => {
    const { server, notices } = await llamaServer()
    await server.start()
    const { pid } = server
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(() => expect(notices).toContain('llama-server was ended by SIGKILL; it is started again in 1 s'), 5_000)
    await vi.waitFor(() => expect(server.url).toBeDefined(), 30_000)
    expect(server.pid).not.toBe(pid)
    expect((await ask(server.url, 'Text Recognition:')).status).toBe(200)
  })

  it('says what the log says of a model that cannot be loaded', async () => {
    const folder = await tempFolder()
    writeFileSync(join(folder, 'broken.gguf'), 'no model')
    for (const [path, reason] of [
      [join(folder, 'broken.gguf'), /gguf|magic|load/i],
      [join(folder, 'none.gguf'), /no such file|failed to open|not exist|load/i],
    ] as const) {
      const { server } = await llamaServer({ model: path })
      const failure = await server.start().catch((error: PagestreamError) => error)
      expect(failure).toMatchObject({
        code: 'engine-not-started',
        message: expect.stringMatching(/^starting llama-server: it ended with code 1; its log says: /),
      })
      expect((failure as PagestreamError).message).toMatch(reason)
    }
  })

  it('says that it does not know a flag', async () => {
    const { server } = await llamaServer({ arguments: ['--no-such-flag'] })
    await expect(server.start()).rejects.toMatchObject({ code: 'engine-not-started', message: expect.stringContaining('--no-such-flag') })
  })

  it('refuses a port that is taken', async () => {
    const { server: first } = await llamaServer({ arguments: ['--port', `${await tryPort('127.0.0.1', 0)}`] })
    await first.start()
    const { server } = await llamaServer({ arguments: ['--port', new URL(first.url ?? '').port] })
    await expect(server.start()).rejects.toMatchObject({ code: 'port-unavailable' })
  })

  it('stops within seconds while a stream is open, and nothing of it is left', async () => {
    const { server } = await llamaServer()
    await server.start()
    const { pid, url } = server
    const stream = (await ask(url, 'Loop', 8_000)).body?.getReader()
    await stream?.read()
    const started = performance.now()
    await server.stop()
    expect(performance.now() - started).toBeLessThan(12_000)
    expect(isAlive(pid)).toBe(false)
    await expect(fetch(`${url}/health`)).rejects.toThrow()
    await stream?.cancel().catch(() => undefined)
  })

  it('stops while it loads', async () => {
    const { server } = await llamaServer()
    const start = server.start()
    await vi.waitFor(() => expect(server.pid).toBeGreaterThan(0))
    const { pid } = server
    await Promise.all([expect(start).rejects.toMatchObject({ code: 'cancelled' }), server.stop()])
    expect(isAlive(pid)).toBe(false)
  })
})
