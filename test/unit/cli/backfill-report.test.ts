import { expect, it } from 'vitest'
import { planLines } from '../../../src/cli/backfill-report.ts'

const plan = {
  entries: 2,
  refused: 0,
  leftOut: 0,
  sampled: 2,
  documents: 2,
  pages: 4,
  modelPages: 4,
  tokens: 900,
  gpuHours: 0.001,
  bytes: 1e6,
  pagesPerSecond: 4,
}

it.each([
  [0, '0 seconds'],
  [0.2, '1 second'],
  [59, '59 seconds'],
  [150, '3 minutes'],
  [5400, '90 minutes'],
  [9000, '2.5 hours'],
  [3.6e6, '1000.0 hours'],
])('says of %d seconds of work that it takes about %s', (seconds, said) => {
  expect(planLines({ ...plan, hours: seconds / 3600 }, 'this machine')[1]).toBe(`4.0 pages/s: about ${said} (this machine)`)
})

it('calls no cost zero that is none', () => {
  expect(planLines({ ...plan, hours: 1 }, 'this machine')[2]).toContain('less than 0.01 GPU-hours')
})
