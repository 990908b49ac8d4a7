import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { LineSplitter } from '../../../../src/runtime/processes/line-splitter.ts'
import { ProcessGroup } from '../../../../src/runtime/processes/process-group.ts'
import { isAlive } from '../../../support/is-alive.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const module = new URL('../../../../dist/runtime/processes/process-group.js', import.meta.url).href
const server = fileURLToPath(new URL('../../../support/fake-server.mjs', import.meta.url))
const group = (script: string, lines: string[] = []) =>
  new ProcessGroup({ command: '/bin/sh', arguments: ['-c', script], environment: { PATH: process.env.PATH }, onLine: (line) => lines.push(line) })

describe('ProcessGroup', () => {
  it('gives all lines of a program, then how it ended', async () => {
    const lines: string[] = []
    const exit = await group('echo one; echo two >&2; printf three; exit 4', lines).exited
    expect(exit).toEqual({ code: 4, signal: null })
    expect([...lines].sort()).toEqual(['one', 'three', 'two'])
  })

  it('passes arguments on as they are', async () => {
    const lines: string[] = []
    await new ProcessGroup({ command: '/bin/echo', arguments: ['a b', '$HOME', '"'], environment: {}, onLine: (line) => lines.push(line) }).exited
    expect(lines).toEqual(['a b $HOME "'])
  })

  it('ends what a program leaves behind when it ends by itself', async () => {
    const lines: string[] = []
    await group('sleep 1000 & echo $!', lines).exited
    await vi.waitFor(() => expect(isAlive(Number(lines[0]))).toBe(false))
  })

  it('ends with the process that started it, when that is killed', async () => {
    const folder = await tempFolder()
    const [lives, child] = [join(folder, 'lives'), join(folder, 'child')]
    const program = `
      import { ProcessGroup } from ${JSON.stringify(module)}
      new ProcessGroup({ command: process.execPath, arguments: [${JSON.stringify(server)}, '--port', '0'], environment: process.env, onLine() {} })`
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], { env: { ...process.env, FAKE_LIVES: lives, FAKE_CHILD: child } })
    await vi.waitFor(() => expect(existsSync(child) && readFileSync(child, 'utf8')).toBeTruthy(), 10_000)
    const pids = [JSON.parse(readFileSync(lives, 'utf8')).pid as number, Number(readFileSync(child, 'utf8'))]
    expect(pids.map(isAlive)).toEqual([true, true])
    parent.kill('SIGKILL')
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), 15_000)
  })
})

describe('LineSplitter', () => {
  it('cuts at line ends and at returns of a progress bar, without colours and without empty lines', () => {
    const lines: string[] = []
    const splitter = new LineSplitter((line) => lines.push(line))
    for (const piece of ['a', 'b\r\nc\rd\n\n\x1b[1;31mred\x1b[0m', ' end']) splitter.push(piece)
    splitter.end()
    expect(lines).toEqual(['ab', 'c', 'd', 'red end'])
  })

  it('holds no line without end', () => {
    const lines: string[] = []
    const splitter = new LineSplitter((line) => lines.push(line))
    splitter.push('x'.repeat(10_000))
    expect(lines.map((line) => line.length)).toEqual([4096, 4096])
  })
})
