import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { packageRoot } from '../../src/config/package-root.ts'
import type { Lane } from '../../src/schema/lane.ts'
import type { StageName } from '../../src/schema/stage.ts'
import type { StoreFaults } from './fault-plan.ts'

const cli = join(packageRoot(), 'dist/bundle/cli.js')
const faultyWorker = join(packageRoot(), 'test/chaos/faulty-worker.mjs')
const restartMs = 500
const stopMs = 20_000
const linesKept = 200

interface Member {
  readonly stages: readonly StageName[]
  child: ChildProcess | undefined
  frozen: boolean
}

/** Processes outlive the tests otherwise. */
const live = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of live) child.kill('SIGKILL')
})

/** Worker processes that are started again when they end, as an orchestrator does. */
export class Fleet {
  readonly #env: NodeJS.ProcessEnv
  readonly #store: StoreFaults
  readonly #lane: Lane
  readonly #more: readonly string[]
  readonly #members: Member[] = []
  readonly #timers = new Set<NodeJS.Timeout>()
  #closed = false
  /** Workers that ended without having been told to. */
  endedAlone = 0
  /** What workers said and when. */
  readonly said: string[] = []

  constructor(env: NodeJS.ProcessEnv, store: StoreFaults, lane: Lane = 'live', more: readonly string[] = []) {
    this.#env = env
    this.#store = store
    this.#lane = lane
    this.#more = more
  }

  start(stages: readonly StageName[]): void {
    const member: Member = { stages, child: undefined, frozen: false }
    this.#members.push(member)
    this.#spawn(member)
  }

  /** SIGKILL; another takes its place. */
  kill(pick: number, awayMs: number): void {
    const member = this.#pick(pick)
    if (!member) return
    this.#note(member, 'killed')
    const { child } = member
    member.child = undefined
    child?.kill('SIGKILL')
    this.#later(awayMs, () => this.#spawn(member))
  }

  /** SIGSTOP for longer than a session, then SIGCONT: it goes on as if nothing had been. */
  freeze(pick: number, forMs: number): void {
    const member = this.#pick(pick)
    if (!member) return
    const { child } = member
    this.#note(member, 'frozen')
    member.frozen = true
    child?.kill('SIGSTOP')
    this.#later(forMs, () => {
      this.#note(member, 'thawed')
      child?.kill('SIGCONT')
      member.frozen = false
    })
  }

  /** SIGTERM; it drains, then another takes its place. */
  leave(pick: number, awayMs: number): void {
    const member = this.#pick(pick)
    if (!member) return
    this.#note(member, 'told to leave')
    const { child } = member
    member.child = undefined
    child?.kill('SIGTERM')
    this.#later(awayMs, () => this.#spawn(member))
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const timer of this.#timers) clearTimeout(timer)
    const children = [...live]
    const ended = children.map((child) => new Promise((resolve) => child.once('exit', resolve)))
    for (const child of children) {
      child.kill('SIGCONT')
      child.kill('SIGTERM')
    }
    const force = setTimeout(() => children.map((child) => child.kill('SIGKILL')), stopMs)
    await Promise.all(ended)
    clearTimeout(force)
  }

  #pick(pick: number): Member | undefined {
    const awake = this.#members.filter(({ child, frozen }) => child && !frozen)
    return awake[Math.floor(pick * awake.length)]
  }

  #spawn(member: Member): void {
    if (this.#closed) return
    const faulty = this.#store.errorRate > 0 || this.#store.latencyMs > 0
    const list = member.stages.join(',')
    const args = faulty ? [faultyWorker, list] : [cli, 'worker', '--stage', list, '--lane', this.#lane, ...this.#more]
    const env = faulty ? { ...this.#env, CHAOS_STORE: JSON.stringify(this.#store) } : this.#env
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    member.child = child
    live.add(child)
    createInterface({ input: child.stderr }).on('line', (line) => this.#note(member, line, child.pid))
    child.once('exit', (code, signal) => {
      live.delete(child)
      this.#note(member, `ended with ${code ?? signal}`, child.pid)
      if (member.child !== child || this.#closed) return
      member.child = undefined
      this.endedAlone++
      this.#later(restartMs, () => this.#spawn(member))
    })
  }

  #note({ stages, child }: Member, line: string, pid = child?.pid): void {
    const who = stages.length === 5 ? 'all' : stages.join(',')
    this.said.push(`${new Date().toISOString().slice(14, 23)} ${who} ${pid}: ${line}`)
    if (this.said.length > linesKept) this.said.shift()
  }

  #later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      run()
    }, ms)
    this.#timers.add(timer)
  }
}
