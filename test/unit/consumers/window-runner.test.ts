import { expect, it } from 'vitest'
import { StageTrace } from '../../../src/consumers/stage-trace.ts'
import { WindowRunner } from '../../../src/consumers/window-runner.ts'
import type { Stage } from '../../../src/schema/stage.ts'
import { Counters } from '../../../src/telemetry/counters.ts'
import { noTracer } from '../../../src/telemetry/tracing/tracer.ts'
import { eventually } from '../../support/bus-contract.ts'

it('counts how long it was busy also while it is never without a window', async () => {
  let letGo: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const stage: Stage<string, string> = {
    name: 'layout',
    cost: () => 1,
    async *process({ pages }) {
      for (const input of pages) {
        if (input === 'long') await held
        yield { kind: 'done', input, value: input }
      }
    },
  }
  const counts = new Counters().stages.layout
  const limits = { pages: 1, costMs: 1000, bytes: 1000, ageMs: 1000 }
  const done: string[] = []
  const runner = new WindowRunner(
    {
      stage,
      limits,
      windows: 2,
      counts,
      signal: new AbortController().signal,
      trace: new StageTrace(noTracer, { stage: 'layout', lane: 'live', group: 'layout' }),
    },
    {
      giveBack: () => {},
      settle: async ({ input }) => {
        done.push(input)
      },
      fatal: (error) => {
        throw error
      },
    },
  )
  runner.add({ input: 'long' })
  runner.add({ input: 'short' })
  await eventually(() => expect(done).toEqual(['short']))
  await eventually(() => expect(counts.busySeconds).toBeGreaterThan(0))
  const before = counts.busySeconds
  letGo()
  await eventually(() => expect(counts.busySeconds).toBeGreaterThan(before))
  expect(done).toEqual(['short', 'long'])
})
