import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The TypeScript block of README.md, as it stands there. */
function exampleOfReadme(): string {
  const found = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))
  if (!found?.[1]) throw new Error('README.md has no library example')
  return found[1]
}

describe('the library example of the README', () => {
  // Inside the package, so that its own name resolves as it does for a user.
  let folder: string
  beforeAll(() => {
    mkdirSync(join(root, '.cache'), { recursive: true })
    folder = mkdtempSync(join(root, '.cache', 'readme-'))
    symlinkSync(join(root, 'samples'), join(folder, 'samples'))
    writeFileSync(join(folder, 'example.ts'), exampleOfReadme())
    writeFileSync(join(folder, 'example.mjs'), exampleOfReadme())
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = (program: string, args: string[]) => spawnSync(program, args, { cwd: folder, encoding: 'utf8', timeout: 100_000 })

  it('has at most ten lines', () => {
    expect(exampleOfReadme().trim().split('\n').length).toBeLessThanOrEqual(10)
  })

  it('passes the strict compiler', () => {
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--skipLibCheck', '--ignoreConfig']
    const { status, stdout } = run(join(root, 'node_modules', '.bin', 'tsc'), [...flags, 'example.ts'])
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })

  it('prints a line a page, then the document', () => {
    const { status, stdout, stderr } = run(process.execPath, ['example.mjs'])
    expect(stderr).toBe('')
    expect(status).toBe(0)
    const lines = stdout.trim().split('\n')
    expect([...lines.slice(0, -1)].sort()).toEqual(['page 1: ok', 'page 2: ok', 'page 3: ok', 'page 4: ok'])
    expect(lines.at(-1)).toMatch(/^complete: Quiet Tide Pumps: .+, \d+ blocks, \d+ chunks$/)
  })
})
