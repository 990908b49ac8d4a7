import { setFlagsFromString } from 'node:v8'

/** Resident memory from which on a long run trades some processor time for memory. */
const thriftyBytes = 256 * 1024 ** 2
/** Asking the system costs more than it is worth for every page. */
const everyEvents = 50

/**
 * To be called for each event of a run. Left alone, V8 lets the heap grow to a multiple of what lives before it collects
 * what pages that are done have left behind: tens of megabytes live, hundreds are resident. Past a mark the heap may
 * grow by less than a third between collections; that costs about a tenth of the processor time, so short runs do without.
 */
export function heapBound(): () => void {
  let events = 0
  let thrifty = false
  return () => {
    if (thrifty || ++events % everyEvents !== 0 || process.memoryUsage.rss() < thriftyBytes) return
    thrifty = true
    setFlagsFromString('--heap-growing-percent=30')
  }
}
