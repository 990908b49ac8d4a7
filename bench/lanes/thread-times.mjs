import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** Processor seconds that the threads of a process have had: `bulk` those with lowered priority, `live` all others. Linux; threads that have ended are not counted. */
export function secondsByNiceness(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { seconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond, nice: Number(fields[16]) }
  })
  const own = Math.min(...threads.map(({ nice }) => nice))
  const sum = (wanted) => threads.filter(({ nice }) => nice > own === wanted).reduce((all, { seconds }) => all + seconds, 0)
  return { live: sum(false), bulk: sum(true) }
}

export const residentMiB = (pid) => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
