import type { Totals } from './rate-meter.ts'
import type { WorkerView } from './worker-view.ts'

const pages = (stage: string, lane: string) => `pages ${stage} ${lane}`
const tokens = (kind: string, lane: string) => `tokens ${kind} ${lane}`

/** What a worker's rates are told of. */
export function totalsOf({ stages, lanes }: WorkerView): Totals {
  const totals: Record<string, number> = {}
  for (const { lane, counters } of lanes) {
    for (const { stage } of stages) totals[pages(stage, lane)] = counters.stages[stage].pagesOk + counters.stages[stage].pagesFailed
    totals[tokens('prompt', lane)] = counters.vlm.promptTokens
    totals[tokens('output', lane)] = counters.vlm.outputTokens
  }
  return totals
}

export const pageRate = (rates: Totals, stage: string, lane: string): number => rates[pages(stage, lane)] ?? 0
export const tokenRates = (rates: Totals, lane: string): Totals => ({
  prompt: rates[tokens('prompt', lane)] ?? 0,
  output: rates[tokens('output', lane)] ?? 0,
})
