import type { Fleet, FleetStage, FleetWorker } from '../operations/top/fleet.ts'
import { shown } from './terminal-text.ts'

/** Workers that are listed one by one. */
const mostWorkers = 24

/** A set of workers as lines for people. */
export function fleetLines({ at, workers, stages, lanes, total }: Fleet): string[] {
  const answering = workers.filter(({ state }) => state !== 'away').length
  const engine = lanes.filter(({ slots }) => slots.all > 0)
  return [
    `${at.slice(11, 19)}  ${answering} of ${workers.length} workers  ${number(total.pagesPerSecond)} pages/s  ${number(total.tokensPerSecond)} tokens/s  ` +
      `${total.documents} documents  ${total.deadLetters} dead letters`,
    '',
    ...table(['STAGE', 'LANE', 'WORKERS', 'STATE', 'PAGES/S', 'IN FLIGHT', 'FILL', 'LAG', 'LAG S', 'FAILED'], stages.map(stageCells), 4),
    ...(engine.length === 0
      ? []
      : [
          '',
          ...table(
            ['LANE', 'TOKENS IN/S', 'OUT/S', 'SLOTS USED', 'FREE', 'WAITING'],
            engine.map(({ lane, tokensPerSecond: { prompt, output }, slots, waiting }) => [
              ...[lane, number(prompt), number(output), `${slots.used}`, `${slots.free}`, `${waiting}`],
            ]),
            1,
          ),
        ]),
    '',
    ...table(['WORKER', 'STATE', 'PAGES/S', 'IN FLIGHT', 'MEMORY'], workers.slice(0, mostWorkers).map(workerCells), 2),
    ...(workers.length > mostWorkers ? [`… and ${workers.length - mostWorkers} more`] : []),
  ]
}

const stageCells = ({ stage, lane, workers, states, pagesPerSecond, pagesInFlight, windowFill, lagRecords, lagSeconds, pages }: FleetStage): string[] => [
  ...[stage, lane, `${workers}`, stateOf(states), number(pagesPerSecond), `${pagesInFlight}`],
  ...[windowFill === null ? '–' : `${Math.round(windowFill * 100)} %`, `${lagRecords}`, number(lagSeconds), `${pages.failed}`],
]

/** The worst first, with how many where not all are so. */
function stateOf(states: FleetStage['states']): string {
  const found = (['stopped', 'waiting', 'open'] as const).filter((state) => states[state] > 0)
  return found.length === 1 ? (found[0] ?? '–') : found.map((state) => `${states[state]} ${state}`).join(', ') || '–'
}

const workerCells = ({ address, state, reason, pagesPerSecond, pagesInFlight, memoryBytes }: FleetWorker): string[] =>
  state === 'away'
    ? [shown(address), `away: ${reason ?? ''}`, '–', '–', '–']
    : [shown(address), state, number(pagesPerSecond), `${pagesInFlight}`, `${Math.round(memoryBytes / 1024 ** 2)} MiB`]

const number = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1))

/** Columns as wide as their widest cell; the first so many stand left, the others right. */
function table(head: readonly string[], rows: readonly (readonly string[])[], left: number): string[] {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, column) => (column < left ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
