import { setTimeout as sleep } from 'node:timers/promises'
import { fleetOf, type LookedAt } from '../operations/top/fleet.ts'
import { scrapeAll } from '../operations/top/scrape.ts'
import { addressesOf, namedWorkers } from '../operations/top/worker-addresses.ts'
import { fleetLines } from './fleet-table.ts'
import { print } from './print.ts'
import { stopSignal } from './stop-signal.ts'
import type { TopFlags } from './top-command.ts'

/** A worker that takes longer to tell its metrics is away. */
const timeoutMs = 3_000

/** Runs `pagestream top` until told to stop, or once; answers with the exit code. Throws `configuration`. */
export async function runTop({ workers, every, once, json }: TopFlags): Promise<number> {
  const named = namedWorkers(workers)
  const terminal = process.stdout.isTTY === true && !json
  const signal = stopSignal()
  let looked: LookedAt | undefined
  for (;;) {
    looked = fleetOf(await scrapeAll(await addressesOf(named), timeoutMs), new Date(), looked)
    const { fleet } = looked
    if (json) print(JSON.stringify(fleet))
    else if (terminal && !once) drawOver(fleetLines(fleet))
    else for (const line of fleetLines(fleet)) print(line)
    if (once || !(json || terminal)) return fleet.workers.some(({ state }) => state !== 'away') ? 0 : 1
    await sleep(every * 1000, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return 0
  }
}

/** Draws from the top left corner, no more than fits: each line to its end, then all below is cleared. */
function drawOver(lines: readonly string[]): void {
  const { columns = 80, rows = 24 } = process.stdout
  const fitting = lines.slice(0, rows - 1).map((line) => `${[...line].slice(0, columns).join('')}\u001b[K`)
  process.stdout.write(`\u001b[H${fitting.join('\n')}\n\u001b[J`)
}
