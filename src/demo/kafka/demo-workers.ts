import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { packageRoot } from '../../config/package-root.ts'
import type { StageName } from '../../schema/stage.ts'

const cli = join(packageRoot(), 'dist/bundle/cli.js')
const startMs = 60_000

/** A worker process of one stage. */
export interface DemoWorker {
  readonly stage: StageName
  readonly pid: number
  /** SIGKILL: what it had in hand is lost to it, and comes again to the next. */
  kill(): Promise<void>
  /** SIGTERM: it drains. */
  stop(): Promise<void>
}

/** Starts a worker for a stage and waits until it has joined its groups. Rejects with what it said when it does not. */
export function startWorker(stage: StageName, env: NodeJS.ProcessEnv): Promise<DemoWorker> {
  const child = spawn(process.execPath, [cli, 'worker', '--stage', stage], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const said: string[] = []
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`starting the worker of ${stage}: not ready after ${startMs} ms`))
    }, startMs)
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (said.length < 20) said.push(line)
      if (!line.includes(' ready: ')) return
      clearTimeout(timer)
      resolve({ stage, pid: child.pid ?? 0, kill: () => ended(child, 'SIGKILL'), stop: () => ended(child, 'SIGTERM') })
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`starting the worker of ${stage}: it ended with ${code}: ${said.join('; ')}`))
    })
  })
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}
