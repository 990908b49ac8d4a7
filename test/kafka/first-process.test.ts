import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { packageRoot } from '../../src/config/package-root.ts'
import { eventually } from '../support/bus-contract.ts'
import { testChain } from '../support/kafka/test-chain.ts'
import { describeKafka } from '../support/kafka/test-kafka.ts'

/** In a container the first process gets the signal, and the kernel gives that one no default action. */
const unshare = ['--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL']
const mayUnshare = spawnSync('unshare', [...unshare, 'true']).status === 0

describeKafka('a worker that is the first process', () => {
  it.skipIf(!mayUnshare)(`drains and ends at SIGTERM${mayUnshare ? '' : ' (needs unshare, and the right to use it)'}`, async () => {
    const chain = await testChain()
    const file = join(chain.folder, 'config.json')
    const { kafka, store } = chain.config
    await writeFile(file, JSON.stringify({ kafka, store }))
    const args = [...unshare, process.execPath, join(packageRoot(), 'dist/bundle/cli.js'), 'worker', '--stage', 'all', '--config', file]
    const outer = spawn('unshare', args, { stdio: ['ignore', 'ignore', 'pipe'] })
    onTestFinished(() => void outer.kill('SIGKILL'))
    let said = ''
    outer.stderr.on('data', (piece) => {
      said += piece
    })
    const exited = once(outer, 'close')
    await eventually(() => expect(said).toContain('ready: page-render'), 60_000)
    const worker = Number(readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8'))
    expect(readFileSync(`/proc/${worker}/status`, 'utf8')).toMatch(/^NSpid:\t\d+\t1$/m)
    process.kill(worker, 'SIGTERM')
    expect((await exited)[0]).toBe(0)
    expect(said).toContain('draining')
  })
})
