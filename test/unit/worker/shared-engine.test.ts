import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { configSchema } from '../../../src/config/config.ts'
import { shareEngine } from '../../../src/worker/shared-engine.ts'
import { isAlive } from '../../support/is-alive.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const fake = fileURLToPath(new URL('../../support/fake-server.mjs', import.meta.url))
const configured = (engine: Record<string, unknown>) => configSchema.parse({ device: 'cpu', vlm: { family: 'mineru2.5', engine } })
const lanes = ['live', 'bulk'] as const

describe('shareEngine', () => {
  it('starts one server for all lanes, which ask it at its address and by the model of the configuration', async () => {
    const folder = await tempFolder()
    writeFileSync(join(folder, 'llama-server'), `#!/bin/sh\n[ "$1" = --version ] && exit 0\nexec "${process.execPath}" "${fake}" "$@"\n`)
    chmodSync(join(folder, 'llama-server'), 0o755)
    const path = process.env.PATH
    process.env.PATH = `${folder}:/bin:/usr/bin`
    try {
      const shared = await shareEngine(configured({ managed: true, model: '/m.gguf', projector: '/p.gguf' }), lanes, {}, new AbortController().signal)
      const engine = shared?.config.vlm.engine
      const url = engine?.urls[0] ?? ''
      expect(engine).toMatchObject({ managed: false, kind: 'llama-server', model: '/m.gguf', urls: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)] })
      expect((await fetch(`${url}/health`)).ok).toBe(true)
      await shared?.[Symbol.asyncDispose]()
      await expect(fetch(`${url}/health`)).rejects.toThrow()
    } finally {
      process.env.PATH = path
    }
  })

  it('stops a server that still loads when it is told to', async () => {
    const folder = await tempFolder()
    const started = join(folder, 'started')
    writeFileSync(join(folder, 'llama-server'), `#!/bin/sh\n[ "$1" = --version ] && exit 0\necho $$ >"${started}"\nexec sleep 1000\n`)
    chmodSync(join(folder, 'llama-server'), 0o755)
    const path = process.env.PATH
    process.env.PATH = `${folder}:/bin:/usr/bin`
    try {
      const stopping = new AbortController()
      const shared = shareEngine(configured({ managed: true, model: '/m.gguf', projector: '/p.gguf' }), lanes, {}, stopping.signal)
      shared.catch(() => {})
      const pid = await vi.waitFor(() => Number(readFileSync(started, 'utf8').trim() || Number.NaN), { timeout: 10_000 })
      stopping.abort()
      await expect(shared).rejects.toMatchObject({ code: 'cancelled' })
      await vi.waitFor(() => expect(isAlive(pid)).toBe(false))
    } finally {
      process.env.PATH = path
    }
  })

  it('starts none where none is asked for, and refuses a library that several lanes would load', async () => {
    expect(await shareEngine(configured({ urls: ['http://127.0.0.1:1'] }), lanes, {}, new AbortController().signal)).toBeUndefined()
    expect(await shareEngine(configured({ kind: 'llama-cpp' }), ['live'], {}, new AbortController().signal)).toBeUndefined()
    await expect(shareEngine(configured({ kind: 'llama-cpp' }), lanes, {}, new AbortController().signal)).rejects.toMatchObject({ code: 'configuration' })
  })
})
