import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { tempFolder } from '../support/temp-folder.ts'

const demo = fileURLToPath(new URL('../../dist/demo/main.js', import.meta.url))

it('the demo reads every sample, prints a line a stage and leaves a viewer for each document', async () => {
  const cwd = await tempFolder()
  const { stdout } = await promisify(execFile)(process.execPath, [demo], { cwd, timeout: 120_000 })
  for (const stage of ['page-render', 'text-finder', 'layout', 'region-recognition', 'assemble'])
    expect(stdout).toMatch(new RegExp(`^${stage} +8 pages +[0-9.]+ pages/s`, 'm'))
  expect(stdout).toMatch(/gate: \d+ % decided without a model \(1 blank, 5 text-layer, 2 needs-reading\)/)
  const viewers = [...stdout.matchAll(/^complete .* (demo-out\S+document\.html)$/gm)].map((match) => match[1] ?? '')
  expect(viewers).toHaveLength(5)
  for (const viewer of viewers) expect(existsSync(join(cwd, viewer))).toBe(true)
})
