import { PagestreamError } from '../../../../schema/failure.ts'
import { reasonOf } from '../../../../schema/reason.ts'
import { tryPort } from '../../../processes/free-port.ts'
import { type GroupExit, ProcessGroup, type StopPatience } from '../../../processes/process-group.ts'
import { RestartBudget, type RestartLimits } from '../../../processes/restart-budget.ts'
import type { EngineEvents } from '../../engine-events.ts'
import { isPortTaken, keptLines, knownReason, reasonInLog } from './log-reason.ts'
import { isHealthy, whenHealthy } from './server-health.ts'

export interface ManagedServerOptions {
  /** For people: `vllm`. */
  readonly name: string
  readonly command: string
  readonly argumentsFor: (port: number) => readonly string[]
  /** The whole of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** Finds the port in a line of the log, in its first group, where the server itself takes a free one for 0. */
  readonly portInLog?: RegExp
  readonly startMs: number
  readonly restarts?: RestartLimits
  readonly patience?: StopPatience
  /** How often it is looked at while it runs, and how many times in a row it may fail to answer before it is started again. */
  readonly watch?: { readonly everyMs: number; readonly misses: number }
  /** What a person should know: that it is ready, that it fell and is started again. */
  readonly onNotice?: EngineEvents['onNotice']
  readonly onRestart?: EngineEvents['onRestart']
  /** How far a start is: a line of the log now and then. */
  readonly onProgress?: (line: string) => void
  /** Every line of the log. */
  readonly onLog?: (line: string) => void
  /** It fell and is not started again. Not called when it is told to stop. */
  readonly onExit?: (error: PagestreamError) => void
}

/**
 * | state | what happens | next |
 * | --- | --- | --- |
 * | `new` | nothing | `loading` by `start` |
 * | `loading` | the process runs and is not ready | `ready`; `fallen` when this was no first start; `ended` when it was, or by `stop` |
 * | `ready` | it answers under `url` | `fallen` when it ends or does not answer; `ended` by `stop` |
 * | `fallen` | it waits for its next start | `loading`; `ended` when no start is left, or by `stop` |
 * | `ended` | nothing, for ever | |
 */
type State = 'new' | 'loading' | 'ready' | 'fallen' | 'ended'

const defaultWatch = { everyMs: 10_000, misses: 6 }
/** Ports that were free a moment ago and are not any more. */
const mostPorts = 3
/** The log of a server that loads says more than anybody reads. */
const progressEveryMs = 2_000

/** A server process that is started, waited for, started again when it falls, and stopped with all that it has started itself. */
export class ManagedServer implements AsyncDisposable {
  readonly #options: ManagedServerOptions
  readonly #budget: RestartBudget
  readonly #stopping = new AbortController()
  #state: State = 'new'
  #group: ProcessGroup | undefined
  #url: string | undefined
  /** 0 until the first one is found: whoever asks it knows it by that. */
  #port: number
  #lines: string[] = []
  #toldAt = Number.NEGATIVE_INFINITY
  #pause: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined

  constructor(options: ManagedServerOptions) {
    this.#options = options
    this.#port = options.port
    this.#budget = new RestartBudget(options.restarts)
  }

  /** Where it answers, without a slash at the end; undefined while it does not. It stays the same. */
  get url(): string | undefined {
    return this.#url
  }

  /** Of the leader of its group; 0 while none runs. */
  get pid(): number {
    return this.#group?.pid ?? 0
  }

  /**
   * Starts it and waits until it is ready. Rejects with `engine-not-started` and what its log says, `port-unavailable`, `cancelled`; nothing of it
   * runs then. To be called once.
   */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#state !== 'new') throw new PagestreamError('internal', `starting ${this.#options.name}: it was started before`)
    const abort = () => void this.stop()
    signal?.addEventListener('abort', abort, { once: true })
    try {
      if (signal?.aborted) throw this.#cancelled()
      await this.#launch()
    } catch (error) {
      await this.stop()
      throw error
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Ends it with all that it has started, also while it loads; whoever has streams open should end them first. Never rejects. */
  async stop(): Promise<void> {
    this.#state = 'ended'
    this.#url = undefined
    this.#stopping.abort()
    clearTimeout(this.#pause)
    clearInterval(this.#watch)
    await this.#group?.stop(this.#options.patience)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  get #isEnded(): boolean {
    return this.#state === 'ended'
  }

  async #launch(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#tryToLaunch()
        return
      } catch (error) {
        const again = this.#port === 0 && tries < mostPorts && !this.#isEnded && isPortTaken(this.#lines)
        if (!again) throw error
      }
    }
  }

  async #tryToLaunch(): Promise<void> {
    const { name, command, argumentsFor, environment, host, portInLog, startMs } = this.#options
    const port = portInLog && this.#port === 0 ? 0 : await this.#freePort()
    if (this.#isEnded) throw this.#cancelled()
    this.#state = 'loading'
    this.#lines = []
    let foundPort: (port: number) => void = () => {}
    const portKnown = new Promise<number>((resolve) => {
      foundPort = resolve
      if (port > 0) resolve(port)
    })
    const group = new ProcessGroup({
      ...{ command, arguments: argumentsFor(port), environment },
      onLine: (line) => {
        this.#hear(line)
        const told = portInLog?.exec(line)?.[1]
        if (told !== undefined) foundPort(Number(told))
      },
    })
    this.#group = group
    const given = new AbortController()
    const timer = setTimeout(() => given.abort(), startMs)
    try {
      const exit = await Promise.race([group.exited, this.#whenReady(host, portKnown, AbortSignal.any([given.signal, this.#stopping.signal]))])
      if (this.#isEnded) throw this.#cancelled()
      if (exit === 'aborted') throw this.#notStarted(`is not ready after ${Math.round(startMs / 1000)} s`)
      if (exit !== 'ready') throw this.#notStarted(howEnded(exit))
    } catch (error) {
      await group.stop(this.#options.patience)
      throw error
    } finally {
      clearTimeout(timer)
      given.abort()
    }
    this.#state = 'ready'
    this.#budget.runs(performance.now())
    void group.exited.then((exit) => this.#fell(group, howEnded(exit)))
    this.#look(group)
    this.#options.onNotice?.(`${name} is ready at ${this.#url}`)
  }

  async #whenReady(host: string, portKnown: Promise<number>, signal: AbortSignal): Promise<'ready' | 'aborted'> {
    const aborted = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
    const port = await Promise.race([portKnown, aborted])
    if (port === undefined) return 'aborted'
    const url = `http://${reachableHost(host)}:${port}`
    if (!(await whenHealthy(url, signal))) return 'aborted'
    this.#url = url
    this.#port = port
    return 'ready'
  }

  async #freePort(): Promise<number> {
    const { host, name } = this.#options
    const port = this.#port
    try {
      return await tryPort(host, port)
    } catch (cause) {
      throw new PagestreamError('port-unavailable', `starting ${name}: it cannot listen on ${host}:${port}, ${reasonOf(cause)}`, { cause })
    }
  }

  #hear(line: string): void {
    if (this.#lines.push(line) > keptLines) this.#lines.shift()
    this.#options.onLog?.(line)
    const now = performance.now()
    if (this.#state !== 'loading' || now - this.#toldAt < progressEveryMs) return
    this.#toldAt = now
    this.#options.onProgress?.(`${this.#options.name} is loading: ${line.slice(0, 200)}`)
  }

  /** It runs and does not answer: what hangs is ended, and started again like what has ended by itself. */
  #look(group: ProcessGroup): void {
    const { everyMs, misses } = this.#options.watch ?? defaultWatch
    let missed = 0
    let looking = false
    clearInterval(this.#watch)
    this.#watch = setInterval(async () => {
      const url = this.#url
      if (looking || !url) return
      looking = true
      missed = (await isHealthy(url, everyMs)) ? 0 : missed + 1
      looking = false
      if (missed >= misses && this.#group === group && this.#state === 'ready') await this.#fell(group, 'does not answer any more')
    }, everyMs).unref()
  }

  async #fell(group: ProcessGroup, how: string): Promise<void> {
    if (this.#group !== group || this.#state !== 'ready') return
    this.#state = 'fallen'
    this.#url = undefined
    clearInterval(this.#watch)
    const known = knownReason(this.#lines)
    await group.stop(this.#options.patience)
    this.#startAgain(`${how}${known === '' ? '' : `: ${known}`}`)
  }

  #startAgain(how: string): void {
    if (this.#isEnded) return
    const { name, onNotice, onRestart, onExit } = this.#options
    const pauseMs = this.#budget.next(performance.now())
    if (pauseMs === undefined) {
      this.#state = 'ended'
      onExit?.(new PagestreamError('engine-failed', `minding ${name}: it ${how}, and was started again too often`))
      return
    }
    onNotice?.(`${name} ${how}; it is started again in ${pauseMs / 1000} s`, 'warn')
    this.#pause = setTimeout(() => {
      onRestart?.()
      this.#launch().catch((error: unknown) =>
        this.#startAgain(error instanceof PagestreamError ? `does not come up again (${error.message})` : reasonOf(error)),
      )
    }, pauseMs)
  }

  #notStarted(how: string): PagestreamError {
    const said = reasonInLog(this.#lines)
    return new PagestreamError('engine-not-started', `starting ${this.#options.name}: it ${how}${said === '' ? '' : `; its log says: ${said}`}`)
  }

  #cancelled(): PagestreamError {
    return new PagestreamError('cancelled', `starting ${this.#options.name}: told to stop before it was ready`)
  }
}

function howEnded({ code, signal, error }: GroupExit): string {
  if (error) return `cannot be run, ${reasonOf(error)}`
  return signal ? `was ended by ${signal}` : `ended with code ${code}`
}

/** A server that listens everywhere is asked on this machine. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
