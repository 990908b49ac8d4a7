import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { lineOfDevice } from '../../../src/cli/run-supervisor.ts'
import { fakeNvidiaSmi } from '../../support/fake-nvidia-smi.ts'
import { isAlive } from '../../support/is-alive.ts'

const script = fileURLToPath(new URL('../../support/start-supervisor.mjs', import.meta.url))
const gpus = [
  { index: 0, uuid: 'GPU-aaaa1111' },
  { index: 1, uuid: 'GPU-bbbb2222' },
]

interface Life {
  readonly pid: number
  readonly order: string
  readonly service: string
  readonly restarts: string
  readonly arguments: readonly string[]
}

function start(devices: string, behaviours: Record<string, unknown> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'pagestream-supervisor-'))
  for (const [name, behaviour] of Object.entries(behaviours)) writeFileSync(join(folder, `${name}.json`), JSON.stringify(behaviour))
  const child = spawn(process.execPath, [script, devices, '9400'], {
    env: { PATH: fakeNvidiaSmi(gpus), SUPERVISED_FOLDER: folder, OTEL_SERVICE_NAME: 'reader' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said += piece
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const readyOf = (name: string, life = 0) => vi.waitFor(() => expect(said).toContain(`[${name}] ready: life ${life}`), 15_000)
  const lives = (name: string): Life[] =>
    readFileSync(join(folder, `${name}.lives`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Life)
  return { child, ended, readyOf, lives, said: () => said }
}

describe('a line of a worker that is minded, in a log of JSON', () => {
  it('says its device, and becomes JSON where a library has printed it', () => {
    expect(JSON.parse(lineOfDevice('cuda:1', '{"level":"warn","msg":"m","stage":"layout"}'))).toEqual({
      device: 'cuda:1',
      level: 'warn',
      msg: 'm',
      stage: 'layout',
    })
    for (const line of ['CUDA error at https://a:mark@host', '{not json', '']) {
      const said = lineOfDevice('cuda:1', line)
      expect(JSON.parse(said)).toMatchObject({ level: 'info', component: 'worker', device: 'cuda:1', msg: expect.any(String) })
      expect(said).not.toContain('mark')
    }
  })
})

describe('pagestream worker --devices', () => {
  it('starts a worker for each device, which sees its own alone and has a port of its own', async () => {
    const { child, ended, readyOf, lives } = start('0,GPU-bbbb2222')
    await readyOf('cuda:0')
    await readyOf('GPU-bbbb2222')
    expect(lives('0')[0]).toMatchObject({
      order: 'PCI_BUS_ID',
      service: 'reader', // as all of the environment
      arguments: ['worker', '--stage', 'layout', '--lane', 'both', '--device', 'cuda:0', '--port', '9400'],
    })
    expect(lives('GPU-bbbb2222')[0]?.arguments.slice(-4)).toEqual(['--device', 'GPU-bbbb2222', '--port', '9401'])
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  it('starts a worker again that falls, which is told how often', async () => {
    const { child, ended, readyOf, said, lives } = start('0,1', { 1: { ends: [1] } })
    await readyOf('cuda:1', 1)
    expect(said()).toContain('the worker on cuda:1 ended with code 1; it is started again')
    expect(lives('1').map(({ restarts }) => restarts)).toEqual(['0', '1'])
    child.kill('SIGINT')
    expect(await ended).toBe(0)
  })

  it('leaves no worker behind when it is killed', async () => {
    const { child, readyOf, lives } = start('0')
    await readyOf('cuda:0')
    const pid = lives('0')[0]?.pid ?? 0
    expect(isAlive(pid)).toBe(true)
    child.kill('SIGKILL')
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 10_000)
  })

  it.each([
    ['0,7', 'it is not there'],
    ['0,cuda:0', 'stands there twice'],
    ['gpu', 'is none'],
  ])('refuses %s before any worker starts', async (devices, reason) => {
    const { ended, said } = start(devices)
    expect(await ended).toBe(2)
    expect(said()).toContain(reason)
    expect(said()).not.toContain('ready')
  })
})
