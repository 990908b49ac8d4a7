import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { tempFolder } from '../../support/temp-folder.ts'

const main = fileURLToPath(new URL('../../../dist/bundle/cli.js', import.meta.url))
const scan = fileURLToPath(new URL('../../../samples/scan.pdf', import.meta.url))

it('an interrupt while a model runs ends with 130, without a crash and without warnings', async () => {
  const child = spawn(process.execPath, [main, 'parse', scan, '--out', join(await tempFolder(), 'out'), '--again'], { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (piece) => {
    stderr += piece
  })
  setTimeout(() => child.kill('SIGINT'), 1500)
  const ended = await new Promise<{ code: number | null; signal: string | null }>((resolve) => child.on('close', (code, signal) => resolve({ code, signal })))
  expect(ended.signal).toBeNull()
  expect([0, 130]).toContain(ended.code)
  expect(stderr).not.toMatch(/terminate called|Warning|Napi/)
})
