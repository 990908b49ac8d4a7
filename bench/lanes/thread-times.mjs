import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** What each thread of a process has had of the processor. Linux. */
function threadsOf(pid) {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return [{ thread, seconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond, nice: Number(fields[16]) }]
    } catch {
      return [] // it has just ended
    }
  })
}

/**
 * Processor seconds of a process from now on: `bulk` those of threads with lowered priority, `live` all others. Threads end and others
 * begin meanwhile: to be sampled often, as what a thread does after its last sample is not counted.
 */
export class ThreadTimes {
  #pid
  #own
  #last = new Map()
  live = 0
  bulk = 0

  constructor(pid) {
    this.#pid = pid
    const threads = threadsOf(pid)
    this.#own = Math.min(...threads.map(({ nice }) => nice))
    for (const { thread, seconds } of threads) this.#last.set(thread, seconds)
  }

  sample() {
    for (const { thread, seconds, nice } of threadsOf(this.#pid)) {
      this[nice > this.#own ? 'bulk' : 'live'] += seconds - (this.#last.get(thread) ?? 0)
      this.#last.set(thread, seconds)
    }
  }
}

export const residentMiB = (pid) => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
