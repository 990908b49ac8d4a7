import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { tempFolder } from '../../support/temp-folder.ts'

const script = fileURLToPath(new URL('../../../scripts/keep-platform.mjs', import.meta.url))

it('keeps the natives of this platform, and fails before it removes any where there are none', async () => {
  const folder = await tempFolder()
  const binaries = join(folder, 'node_modules/onnxruntime-node/bin/napi-v6')
  const place = (name: string) => {
    mkdirSync(join(binaries, name), { recursive: true })
    writeFileSync(join(binaries, name, 'library'), '')
  }
  const run = () => spawnSync(process.execPath, [script, folder], { encoding: 'utf8' })
  const ours = `${process.platform}/${process.arch}`
  place('plan9/mips')
  place(`${process.platform}/mips`)
  expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('has nothing for') })
  expect(existsSync(join(binaries, 'plan9/mips'))).toBe(true)

  place(ours)
  expect(run().status).toBe(0)
  expect(existsSync(join(binaries, ours, 'library'))).toBe(true)
  expect(existsSync(join(binaries, 'plan9'))).toBe(false)
  expect(existsSync(join(binaries, `${process.platform}/mips`))).toBe(false)
})
