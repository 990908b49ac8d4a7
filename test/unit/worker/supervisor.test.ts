import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { Supervisor } from '../../../src/worker/supervisor.ts'

const script = fileURLToPath(new URL('../../support/supervised-process.mjs', import.meta.url))
const restarts = { most: 2, withinMs: 60_000, firstMs: 20, longestMs: 50 }

interface Behaviour {
  readonly ends?: readonly number[]
  readonly stubborn?: boolean
}

/** Two processes, `0` and `1`, that behave as told. */
function supervise(behaviours: Record<string, Behaviour> = {}, drainMs = 5_000) {
  const folder = mkdtempSync(join(tmpdir(), 'pagestream-supervisor-'))
  for (const [name, behaviour] of Object.entries(behaviours)) writeFileSync(join(folder, `${name}.json`), JSON.stringify(behaviour))
  const lines: string[] = []
  const notices: string[] = []
  const children: ChildProcess[] = []
  const supervisor = new Supervisor({
    processes: ['0', '1'].map((name) => ({
      name,
      start() {
        const env = { ...process.env, SUPERVISED_FOLDER: folder, CUDA_VISIBLE_DEVICES: name }
        const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true })
        children.push(child)
        return child
      },
    })),
    onLine: (name, line) => lines.push(`${name} ${line}`),
    onNotice: (line) => notices.push(line),
    drainMs,
    restarts,
  })
  return {
    supervisor,
    lines,
    notices,
    children,
    ended: supervisor.run(),
    lives: (name: string) =>
      readFileSync(join(folder, `${name}.lives`), 'utf8')
        .trim()
        .split('\n').length,
  }
}

const isReady = (lines: readonly string[], name: string) => vi.waitFor(() => expect(lines.some((line) => line.startsWith(`${name} ready`))).toBe(true), 10_000)

describe('Supervisor', () => {
  it('starts the fallen again and leaves the others alone', async () => {
    const { supervisor, lines, notices, ended, lives } = supervise({ 0: { ends: [1, 3] } })
    await isReady(lines, '0')
    await isReady(lines, '1')
    expect(lives('0')).toBe(3)
    expect(lives('1')).toBe(1)
    expect(notices).toEqual([
      'the worker on 0 ended with code 1; it is started again in 0.02 s',
      'the worker on 0 ended with code 3; it is started again in 0.04 s',
    ])
    supervisor.drain()
    expect(await ended).toBe(0)
  })

  it('starts one again that was killed', async () => {
    const { supervisor, lines, notices, children, ended } = supervise()
    await isReady(lines, '0')
    await isReady(lines, '1')
    children[0]?.kill('SIGKILL')
    await vi.waitFor(() => expect(lines.filter((line) => line.startsWith('0 ready')).length).toBe(2), 10_000)
    expect(notices[0]).toContain('was ended by SIGKILL')
    supervisor.drain()
    expect(await ended).toBe(0)
  })

  it('gives up on one that keeps falling: the others drain, and the worst code is its own', async () => {
    const { notices, ended, lives } = supervise({ 1: { ends: [1, 1, 3] } })
    expect(await ended).toBe(3)
    expect(lives('1')).toBe(3)
    expect(notices.at(-1)).toContain('not started again')
  })

  it('does not start one again that says its configuration cannot be used', async () => {
    const { ended, lives } = supervise({ 1: { ends: [2] } })
    expect(await ended).toBe(2)
    expect(lives('1')).toBe(1)
  })

  it('kills those that do not drain in time, or that are to end at once and do not', async () => {
    const { supervisor, lines, ended } = supervise({ 0: { stubborn: true } }, 60_000)
    await isReady(lines, '0')
    await isReady(lines, '1')
    supervisor.drain()
    supervisor.endNow()
    expect(await ended).toBe(1)
  })

  it('ends while a restart is pending', async () => {
    const { supervisor, lines, notices, ended, lives } = supervise({ 0: { ends: [1, 1] } })
    await isReady(lines, '1')
    await vi.waitFor(() => expect(notices.length).toBeGreaterThan(0))
    supervisor.drain()
    expect(await ended).toBeLessThanOrEqual(1)
    expect(lives('0')).toBeLessThanOrEqual(3)
  })
})
