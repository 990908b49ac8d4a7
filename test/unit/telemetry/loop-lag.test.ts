import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { LoopLag } from '../../../src/telemetry/loop-lag.ts'

it('tells by how much timers were late, of the last whole span', async () => {
  using lag = new LoopLag()
  await sleep(50)
  const end = performance.now() + 120
  while (performance.now() < end);
  await sleep(50)
  expect(lag.figures.max).toBeGreaterThan(0.05)
  lag.turn()
  expect(lag.figures.max).toBeGreaterThan(0.05)
  await sleep(60)
  expect(lag.figures.max).toBeGreaterThan(0.05)
  lag.turn()
  expect(lag.figures.max).toBeLessThan(0.12)
})
