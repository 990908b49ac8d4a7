import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { vlmConfigSchema } from '../../../../../../src/config/vlm-config.ts'
import { ManagedEngine } from '../../../../../../src/runtime/vlm/engines/managed/managed-engine.ts'
import { tempFolder } from '../../../../../support/temp-folder.ts'
import { FakeEngine, plainAsk } from '../../../../../support/vlm/fake-engine.ts'

const script = fileURLToPath(new URL('../../../../../support/fake-server.mjs', import.meta.url))
const open: ManagedEngine[] = []
afterEach(async () => {
  for (const engine of open.splice(0)) await engine[Symbol.asyncDispose]()
})

/** A llama-server on the PATH that is the fake server. */
async function managed(engine: Record<string, unknown> = {}, env: Record<string, string> = {}) {
  const folder = await tempFolder()
  const lives = join(folder, 'lives')
  writeFileSync(join(folder, 'llama-server'), `#!/bin/sh\n[ "$1" = --version ] && exit 0\nexec "${process.execPath}" "${script}" "$@"\n`)
  chmodSync(join(folder, 'llama-server'), 0o755)
  const engines: { readonly url: string; readonly kind: string; readonly engine: FakeEngine }[] = []
  const own = new ManagedEngine({
    family: 'mineru2.5',
    engine: vlmConfigSchema.parse({ engine: { managed: true, model: '/m.gguf', projector: '/p.gguf', ...engine } }).engine,
    device: { kind: 'cpu', id: 'cpu', name: '', driver: '', memoryBytes: 8e9 },
    env: { PATH: `${folder}:/bin:/usr/bin`, FAKE_LIVES: lives, ...env },
    engineFor: async (kind, url) => {
      const fake = new FakeEngine()
      engines.push({ url, kind, engine: fake })
      return fake
    },
  })
  open.push(own)
  const ofLife = (index: number) =>
    JSON.parse(readFileSync(lives, 'utf8').trim().split('\n')[index] ?? '{}') as { env: Record<string, string>; arguments: string[] }
  return { own, engines, ofLife, started: () => existsSync(lives) }
}

describe('ManagedEngine', () => {
  it('starts the first server that fits, on the device, and asks it', async () => {
    const { own, engines, ofLife } = await managed({ arguments: ['-t', '2'] })
    await own.start()
    expect(own).toMatchObject({ name: 'llama-server', model: 'fake', slots: 2 })
    expect((await own.ask(plainAsk)).text).toBe('fake')
    expect(await own.load()).toEqual({ running: 0, waiting: 0 })
    expect(engines).toMatchObject([{ kind: 'llama-server', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), engine: { starts: 1 } }])
    expect(ofLife(0).env.CUDA_VISIBLE_DEVICES).toBe('-1')
    expect(ofLife(0).arguments).toContain('--special')
    expect(ofLife(0).arguments.slice(-2)).toEqual(['-t', '2'])
  })

  it('is unreachable while the server is away, and asks the next one at the same address', async () => {
    const { own, engines } = await managed()
    await own.start()
    await fetch(`${engines[0]?.url}/die`).catch(() => undefined)
    await vi.waitFor(() => expect(own.ask(plainAsk)).rejects.toMatchObject({ code: 'engine-unreachable' }))
    await vi.waitFor(async () => expect((await own.ask(plainAsk)).text).toBe('fake'), 10_000)
    expect(engines.length).toBe(1)
  })

  it('stops streams, then the server; before it is up, too', async () => {
    const { own, engines } = await managed()
    await own.start()
    await own[Symbol.asyncDispose]()
    expect(engines[0]?.engine.stops).toBe(1)
    await expect(fetch(`${engines[0]?.url}/health`)).rejects.toThrow()
    const loading = await managed({}, { FAKE_LOAD_MS: '60000' })
    const start = loading.own.start()
    await vi.waitFor(() => expect(loading.started()).toBe(true), 10_000)
    await Promise.all([expect(start).rejects.toMatchObject({ code: 'cancelled' }), loading.own[Symbol.asyncDispose]()])
  })

  it.each([
    [{ kind: 'llama-cpp' }, /llama-cpp is no server/],
    [{ model: '' }, /names no model/],
    [{ urls: ['http://127.0.0.1:1', 'http://127.0.0.1:2'] }, /has one address/],
  ])('refuses %j', async (engine, reason) => {
    const { own, started } = await managed(engine)
    await expect(own.start()).rejects.toThrow(reason)
    expect(started()).toBe(false)
  })
})
