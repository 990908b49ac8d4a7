import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { RestartBudget, type RestartLimits } from '../runtime/processes/restart-budget.ts'
import type { LogLevel } from '../telemetry/log/log.ts'

/** A process that is kept running. */
export interface SupervisedProcess {
  /** For people: the device that it has. */
  readonly name: string
  /** Starts it, in a process group of its own: a Ctrl-C then reaches the supervisor alone, which tells each process once. `restarts`: how often
   * it was started again. */
  start(restarts: number): ChildProcess
}

export interface SupervisorOptions {
  readonly processes: readonly SupervisedProcess[]
  /** What a process says on its standard output or error. */
  readonly onLine: (name: string, line: string) => void
  /** What became of the process of that name. */
  readonly onNotice: (line: string, level: LogLevel, name: string) => void
  /** How long a process may drain before it is killed. */
  readonly drainMs: number
  readonly restarts?: RestartLimits
}

/** A process ends with it when another start would end the same way: usage or configuration. */
const hopeless = 2
/** What a process that is told twice may take to end. */
const endMs = 5_000

interface Member {
  readonly process: SupervisedProcess
  readonly budget: RestartBudget
  starts: number
  child: ChildProcess | undefined
  pause: NodeJS.Timeout | undefined
}

/**
 * Keeps processes running, each started again when it falls, with growing pauses and a bounded rate. When one cannot be kept up, or on `drain`,
 * all are told to end, and the supervisor with them.
 */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #members: Member[]
  #ending = false
  #worst = 0
  #killer: NodeJS.Timeout | undefined
  #done: (code: number) => void = () => {}

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#members = options.processes.map((process) => ({
      process,
      budget: new RestartBudget(options.restarts),
      starts: 0,
      child: undefined,
      pause: undefined,
    }))
  }

  /** Runs until all have ended; answers with the highest of their last exit codes. */
  run(): Promise<number> {
    return new Promise((resolve) => {
      this.#done = resolve
      for (const member of this.#members) this.#start(member)
    })
  }

  /** Tells all to drain. Those that take longer than they may are killed. */
  drain(): void {
    if (this.#ending) return
    this.#ending = true
    this.#tellAll('SIGTERM', this.#options.drainMs + endMs)
  }

  /** Tells all to end at once. */
  endNow(): void {
    this.#ending = true
    this.#tellAll('SIGTERM', endMs)
  }

  #tellAll(signal: NodeJS.Signals, patienceMs: number): void {
    for (const member of this.#members) {
      clearTimeout(member.pause)
      member.pause = undefined
      member.child?.kill(signal)
    }
    clearTimeout(this.#killer)
    this.#killer = setTimeout(() => {
      for (const { child } of this.#members) child?.kill('SIGKILL')
    }, patienceMs)
    this.#endWhenEmpty()
  }

  #start(member: Member): void {
    const { name } = member.process
    const child = member.process.start(member.starts++)
    member.child = child
    member.budget.runs(performance.now())
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.#options.onLine(name, line))
    }
    let fell = false
    const fall = (code: number | null, how: string) => {
      if (fell) return
      fell = true
      member.child = undefined
      this.#fallen(member, code ?? 1, how)
    }
    child.once('error', (error) => fall(1, `cannot be started: ${error.message}`))
    child.once('exit', (code, signal) => fall(code, signal ? `was ended by ${signal}` : `ended with code ${code}`))
  }

  #fallen(member: Member, code: number, how: string): void {
    const { name } = member.process
    if (this.#ending) {
      this.#worst = Math.max(this.#worst, code)
      this.#endWhenEmpty()
      return
    }
    const pauseMs = code === hopeless ? undefined : member.budget.next(performance.now())
    if (pauseMs === undefined) {
      this.#worst = Math.max(this.#worst, code, 1)
      this.#options.onNotice(`the worker on ${name} ${how}; it is not started again, and the others drain`, 'error', name)
      this.drain()
      return
    }
    this.#options.onNotice(`the worker on ${name} ${how}; it is started again in ${pauseMs / 1000} s`, 'warn', name)
    member.pause = setTimeout(() => {
      member.pause = undefined
      this.#start(member)
    }, pauseMs)
  }

  #endWhenEmpty(): void {
    if (this.#members.some(({ child }) => child)) return
    clearTimeout(this.#killer)
    this.#done(this.#worst)
  }
}
