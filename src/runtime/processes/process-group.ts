import { type ChildProcess, spawn } from 'node:child_process'
import { LineSplitter } from './line-splitter.ts'

export interface ProcessGroupOptions {
  /** Path of the program. */
  readonly command: string
  readonly arguments: readonly string[]
  /** The whole of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Each line of standard output and error. */
  readonly onLine: (line: string) => void
}

export interface GroupExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Why it could not be started. */
  readonly error?: Error
}

export interface StopPatience {
  /** After the first SIGTERM, which is the leader's alone: it may end its own children in order. */
  readonly firstMs: number
  /** After the second, which all of the group get. Then they are killed. */
  readonly secondMs: number
}

/** For what a program said last, once it has ended. */
const lastWordsMs = 300

export const defaultPatience: StopPatience = { firstMs: 3_000, secondMs: 5_000 }

/**
 * Started before the program, in its group: ends the group when this process is gone, however it went. File descriptor 3 is a pipe whose other
 * end this process holds and never writes to, so that reading from it comes back when this process is no more.
 */
const watched = `
( trap '' TERM INT HUP; read -r _ <&3; kill -TERM -$$; sleep 5; kill -KILL -$$ ) >/dev/null 2>&1 &
exec "$0" "$@" 3<&-`

/** A program with all that it starts: one group of processes that ends as a whole, with its leader, on request, or with this process. */
export class ProcessGroup {
  readonly exited: Promise<GroupExit>
  readonly #child: ChildProcess
  #ended = false

  constructor(options: ProcessGroupOptions) {
    this.#child = start(options)
    const splitters = [this.#child.stdout, this.#child.stderr].map((stream) => {
      const lines = new LineSplitter(options.onLine)
      stream?.setEncoding('utf8').on('data', (piece: string) => lines.push(piece))
      return lines
    })
    this.exited = new Promise((resolve) => {
      const end = (exit: GroupExit) => {
        if (this.#ended) return
        this.#ended = true
        for (const lines of splitters) lines.end()
        this.#signalAll('SIGKILL') // the leader is gone: what it has left behind would hold its memory and its port
        resolve(exit)
      }
      this.#child.once('error', (error) => end({ code: null, signal: null, error }))
      // Its last words come before its end is told; a process that it left behind may hold the pipes open.
      this.#child.once('exit', (code, signal) => setTimeout(() => end({ code, signal }), lastWordsMs))
      this.#child.once('close', (code, signal) => end({ code, signal }))
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Asks it to end, asks all of the group again, kills them. Resolves when the leader has ended. */
  async stop({ firstMs, secondMs }: StopPatience = defaultPatience): Promise<GroupExit> {
    const timers: NodeJS.Timeout[] = []
    const later = (ms: number, act: () => void) => timers.push(setTimeout(act, ms))
    if (!this.#ended) this.#child.kill('SIGTERM')
    later(firstMs, () => this.#signalAll('SIGTERM'))
    later(firstMs + secondMs, () => this.#signalAll('SIGKILL'))
    const exit = await this.exited
    for (const timer of timers) clearTimeout(timer)
    return exit
  }

  #signalAll(signal: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined) return
    if (process.platform === 'win32') {
      spawn('taskkill', ['/pid', `${pid}`, '/T', '/F'], { stdio: 'ignore' }).once('error', () => this.#child.kill())
      return
    }
    try {
      process.kill(-pid, signal)
    } catch {
      // Nobody of the group is left.
    }
  }
}

function start({ command, arguments: args, environment }: ProcessGroupOptions): ChildProcess {
  const env = { ...environment }
  if (process.platform === 'win32') return spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
  return spawn('/bin/sh', ['-c', watched, command, ...args], { env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'], detached: true })
}
