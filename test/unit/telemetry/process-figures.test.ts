import { totalmem } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ProcessMeter } from '../../../src/telemetry/process-figures.ts'

it('tells of one start, however often it is asked, and of no limit that the machine does not have', async () => {
  using meter = new ProcessMeter()
  const first = meter.look()
  await setTimeout(30)
  const second = meter.look()
  expect(second.startSeconds).toBe(first.startSeconds)
  expect(first.startSeconds).toBeLessThan(Date.now() / 1000)
  expect(second.cpuSeconds).toBeGreaterThanOrEqual(first.cpuSeconds)
  expect(first.memoryLimitBytes ?? 1).toBeGreaterThan(0)
  expect(first.memoryLimitBytes ?? 1).toBeLessThan(totalmem())
})
