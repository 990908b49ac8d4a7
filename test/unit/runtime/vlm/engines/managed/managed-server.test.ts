import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { tryPort } from '../../../../../../src/runtime/processes/free-port.ts'
import { ManagedServer, type ManagedServerOptions } from '../../../../../../src/runtime/vlm/engines/managed/managed-server.ts'
import { isAlive } from '../../../../../support/is-alive.ts'
import { tempFolder } from '../../../../../support/temp-folder.ts'

const script = fileURLToPath(new URL('../../../../../support/fake-server.mjs', import.meta.url))
const portInLog = /listening on http:\/\/127\.0\.0\.1:(\d+)/
const open: ManagedServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop()
})

async function fakeServer(env: Record<string, string> = {}, more: Partial<ManagedServerOptions> = {}) {
  const folder = await tempFolder()
  const notices: string[] = []
  const restarts: number[] = []
  const progress: string[] = []
  const exits: Error[] = []
  const files = { lives: join(folder, 'lives'), child: join(folder, 'child') }
  const server = new ManagedServer({
    ...{
      name: 'fake',
      command: process.execPath,
      argumentsFor: (port) => [script, '--port', `${port}`],
      host: '127.0.0.1',
      port: 0,
      startMs: 10_000,
      portInLog,
    },
    environment: { ...process.env, FAKE_LIVES: files.lives, ...env },
    restarts: { most: 2, withinMs: 60_000, firstMs: 20, longestMs: 50 },
    patience: { firstMs: 300, secondMs: 300 },
    onNotice: (line) => notices.push(line),
    onRestart: () => restarts.push(lives()),
    onProgress: (line) => progress.push(line),
    onExit: (error) => exits.push(error),
    ...more,
  })
  open.push(server)
  const lives = () => (existsSync(files.lives) ? readFileSync(files.lives, 'utf8').trim().split('\n').length : 0)
  return { server, notices, restarts, progress, exits, lives, files }
}

const answers = async (url: string | undefined): Promise<boolean> => (await fetch(`${url}/health`).catch(() => undefined))?.ok === true

describe('ManagedServer', () => {
  it('waits until the server is ready, finds its port in the log and tells how far it is', async () => {
    const { server, notices, progress } = await fakeServer({ FAKE_LOAD_MS: '600' })
    const started = performance.now()
    await server.start()
    expect(performance.now() - started).toBeGreaterThan(550)
    expect(await answers(server.url)).toBe(true)
    expect(progress[0]).toMatch(/^fake is loading: /)
    expect(notices).toEqual([`fake is ready at ${server.url}`])
  })

  it('takes a free port itself where the server tells none', async () => {
    const { portInLog: _, ...without } = { portInLog }
    const { server } = await fakeServer({ FAKE_SILENT_PORT: '1' }, { ...without, portInLog: undefined as unknown as RegExp })
    await server.start()
    expect(await answers(server.url)).toBe(true)
  })

  it('rejects with what the log says when the process ends before it is ready, and leaves nothing', async () => {
    const { server, lives } = await fakeServer({ FAKE_FAIL: 'error: the model file is corrupt' })
    await expect(server.start()).rejects.toMatchObject({
      code: 'engine-not-started',
      message: 'starting fake: it ended with code 1; its log says: error: the model file is corrupt',
    })
    expect(lives()).toBe(1)
    expect(server.url).toBeUndefined()
  })

  it('rejects when the server is not ready in time', async () => {
    const { server } = await fakeServer({ FAKE_LOAD_MS: '60000' }, { startMs: 500 })
    await expect(server.start()).rejects.toThrow(/is not ready after/)
  })

  it('rejects when the program does not exist', async () => {
    const { server } = await fakeServer({}, { command: '/nowhere/vllm' })
    await expect(server.start()).rejects.toMatchObject({ code: 'engine-not-started' })
  })

  it('refuses a port on which another process listens, before anything starts', async () => {
    const { server: first } = await fakeServer()
    await first.start()
    const { server, lives } = await fakeServer({}, { port: Number(new URL(first.url ?? '').port) })
    await expect(server.start()).rejects.toMatchObject({ code: 'port-unavailable' })
    expect(lives()).toBe(0)
  })

  it('starts the server again when it falls, on the port that is asked for', async () => {
    const { server, notices, restarts, exits, lives } = await fakeServer({}, { port: await tryPort('127.0.0.1', 0) })
    await server.start()
    const { url } = server
    await fetch(`${url}/die`).catch(() => undefined)
    await vi.waitFor(() => expect(lives()).toBe(2), 10_000)
    await vi.waitFor(() => expect(server.url).toBe(url), 10_000)
    expect(notices).toContain('fake ended with code 9; it is started again in 0.02 s')
    expect(restarts).toHaveLength(1)
    expect(exits).toEqual([])
  })

  it('starts a server again that runs and does not answer', async () => {
    const { server, notices, lives } = await fakeServer({}, { watch: { everyMs: 100, misses: 3 } })
    await server.start()
    await fetch(`${server.url}/hang`)
    await vi.waitFor(() => expect(lives()).toBe(2), 10_000)
    expect(notices.some((line) => line.includes('does not answer any more'))).toBe(true)
  })

  it('gives up on one that does not come up again, and says so once', async () => {
    const { server, exits, lives } = await fakeServer({ FAKE_FAILS_LATER: 'error: no memory' })
    await server.start()
    await fetch(`${server.url}/die`).catch(() => undefined)
    await vi.waitFor(() => expect(exits.length).toBe(1), 10_000)
    expect(exits[0]?.message).toContain('error: no memory')
    expect(lives()).toBe(3)
    expect(server.url).toBeUndefined()
  })

  it('gives up on one that takes long to fail: only time in which it ran makes up for a restart', async () => {
    const restarts = { most: 2, withinMs: 20, firstMs: 20, longestMs: 50 }
    const { server, exits, lives } = await fakeServer({ FAKE_FAILS_LATER: 'error: no memory' }, { restarts })
    await server.start()
    await fetch(`${server.url}/die`).catch(() => undefined)
    await vi.waitFor(() => expect(exits.length).toBe(1), 10_000)
    expect(lives()).toBe(3)
  })

  it('ends the whole tree, the stubborn by force', async () => {
    const { server, files } = await fakeServer()
    const stubborn = await fakeServer({ FAKE_STUBBORN: '1', FAKE_CHILD: files.child })
    await stubborn.server.start()
    await vi.waitFor(() => expect(existsSync(files.child)).toBe(true))
    const [pid, child] = [stubborn.server.pid, Number(readFileSync(files.child, 'utf8'))]
    expect([isAlive(pid), isAlive(child)]).toEqual([true, true])
    await stubborn.server.stop()
    await vi.waitFor(() => expect([isAlive(pid), isAlive(child)]).toEqual([false, false]))
    await server.stop()
  })

  it('stops while it loads, by an abort and by stop', async () => {
    const aborted = await fakeServer({ FAKE_LOAD_MS: '60000' })
    const abort = new AbortController()
    const start = aborted.server.start(abort.signal)
    await vi.waitFor(() => expect(aborted.lives()).toBe(1), 10_000)
    abort.abort()
    await expect(start).rejects.toMatchObject({ code: 'cancelled' })
    const stopped = await fakeServer({ FAKE_LOAD_MS: '60000' })
    const other = stopped.server.start()
    await Promise.all([expect(other).rejects.toMatchObject({ code: 'cancelled' }), stopped.server.stop()])
  })

  it('stops while it waits for its next start', async () => {
    const { server, notices, lives } = await fakeServer({}, { restarts: { most: 2, withinMs: 60_000, firstMs: 60_000, longestMs: 60_000 } })
    await server.start()
    await fetch(`${server.url}/die`).catch(() => undefined)
    await vi.waitFor(() => expect(notices.at(-1)).toContain('started again'), 10_000)
    await server.stop()
    expect(lives()).toBe(1)
  })
})
