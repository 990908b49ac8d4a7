import { spawn } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { isAlive } from '../../support/is-alive.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const main = fileURLToPath(new URL('../../../dist/bundle/cli.js', import.meta.url))
const server = fileURLToPath(new URL('../../support/fake-server.mjs', import.meta.url))
const model = ['--family', 'mineru2.5', '--model', '/m.gguf', '--projector', '/p.gguf', '--port', '0']

/** `pagestream engine serve` on a machine whose one server is the fake one. */
async function serve(args: readonly string[], env: Record<string, string> = {}) {
  const folder = await tempFolder()
  const lives = join(folder, 'lives')
  writeFileSync(join(folder, 'llama-server'), `#!/bin/sh\n[ "$1" = --version ] && exit 0\nexec "${process.execPath}" "${server}" "$@"\n`)
  chmodSync(join(folder, 'llama-server'), 0o755)
  const child = spawn(process.execPath, [main, 'engine', 'serve', ...args], {
    env: { PATH: folder, HOME: folder, FAKE_LIVES: lives, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      said += piece
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const life = () => JSON.parse(readFileSync(lives, 'utf8').split('\n')[0] ?? '{}') as { pid: number; env: Record<string, string>; arguments: string[] }
  const ready = () => vi.waitFor(() => expect(said).toMatch(/llama-server is ready at http:\/\/127\.0\.0\.1:\d+/), 30_000)
  return { child, ended, said: () => said, life, ready }
}

describe('pagestream engine serve', () => {
  it('starts the server that fits with the flags of the family and further ones, shows its log, and ends with 0 when told to', async () => {
    const { child, ended, said, life, ready } = await serve([...model, '--device', 'cpu', '--slots', '3', '--', '-t', '2'])
    await ready()
    expect(said()).toContain('starting llama-server for mineru2.5 on cpu')
    expect(said()).toContain('loading weights 100%')
    expect(life().arguments.join(' ')).toMatch(/-c 24576 -np 3 --special .* -t 2$/)
    expect(life().env.CUDA_VISIBLE_DEVICES).toBe('-1')
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(isAlive(life().pid)).toBe(false)
  })

  it('lets questions in hand be finished before it stops the server', async () => {
    const { child, ended, life, ready } = await serve(model, { FAKE_BUSY_MS: '3000' })
    await ready()
    const told = performance.now()
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(performance.now() - told).toBeGreaterThan(1_000)
    expect(isAlive(life().pid)).toBe(false)
  })

  it('ends at once with 130 at the second signal, and the server with it', async () => {
    const { child, ended, said, life, ready } = await serve(model, { FAKE_BUSY_MS: '60000' })
    await ready()
    child.kill('SIGTERM')
    await vi.waitFor(() => expect(said()).toContain('draining'))
    child.kill('SIGTERM')
    expect(await ended).toBe(130)
    await vi.waitFor(() => expect(isAlive(life().pid)).toBe(false), 10_000)
  })

  it('ends with 0 when it is told to while the server loads', async () => {
    const { child, ended, said, life } = await serve(model, { FAKE_LOAD_MS: '60000' })
    await vi.waitFor(() => expect(said()).toContain('loading weights'), 30_000)
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(isAlive(life().pid)).toBe(false)
  })

  it('ends with 2 and the words of the log when the server does not start', async () => {
    const { ended, said } = await serve(model, { FAKE_FAIL: 'error: not enough memory' })
    expect(await ended).toBe(2)
    expect(said()).toContain('engine-not-started: starting llama-server: it ended with code 1; its log says: error: not enough memory')
  })

  it.each<[string, readonly string[], RegExp]>([
    ['nothing installed that fits', ['--family', 'mineru2.5', '--model', '/m'], /engine-missing: .*pip install "transformers\[serving\]"/],
    ['no family', ['--model', '/m.gguf'], /--family/],
    ['no model', ['--family', 'mineru2.5'], /names no model/],
    ['a device that is not there', [...model, '--device', 'cuda:0'], /nvidia-smi is not installed/],
    ['a server that nobody knows', [...model, '--engine', 'ollama'], /Allowed choices/],
  ])('ends with 2 for %s', async (_, args, reason) => {
    const { ended, said } = await serve(args)
    expect(await ended).toBe(2)
    expect(said()).toMatch(reason)
  })
})
