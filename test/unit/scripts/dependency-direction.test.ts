import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const script = fileURLToPath(new URL('../../../scripts/check/dependency-direction.mjs', import.meta.url))

describe('the dependency-direction check', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'pagestream-direction-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const run = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    }
    const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' })
    return { status, stderr }
  }

  it('accepts imports from lower layers and from the same folder', () => {
    const result = run({
      'stages/layout/order.ts': `import type { Box } from '../../schema/geometry.ts'\nimport { cut } from './cut.ts'`,
      'parse/parse.ts': `import { run } from '../consumers/bus.ts'\nexport { x } from '../stages/stage.ts'`,
    })
    expect(result).toEqual({ status: 0, stderr: '' })
  })

  it('refuses an import from a higher layer, type-only, spread over lines or dynamic', () => {
    const result = run({
      'schema/page.ts': `import type { Stage } from '../stages/stage.ts'`,
      'runtime/engine.ts': `import {\n  a,\n  b,\n} from '../consumers/bus.ts'`,
      'stages/late.ts': `const late = await import('../cli/main.ts')`,
    })
    expect(result.status).toBe(1)
    expect(result.stderr).toContain('schema must not know stages')
    expect(result.stderr).toContain('runtime must not know consumers')
    expect(result.stderr).toContain('stages must not know cli')
  })

  it('refuses imports between folders of one layer and between two stages', () => {
    const result = run({
      'store/disk.ts': `import { x } from '../runtime/engine.ts'`,
      'stages/layout/stage.ts': `import { x } from '../assemble/stage.ts'`,
    })
    expect(result.stderr).toContain('store must not know runtime')
    expect(result.stderr).toContain('one stage must not know another')
  })

  it('keeps each package and the environment behind its one door', () => {
    const result = run({
      'stages/a.ts': `import sharp from 'sharp'`,
      'runtime/b.ts': `import { Kafka } from 'kafkajs'\nconst home = process.env.HOME`,
      'config/c.ts': `export const home = process.env.HOME`,
      'runtime/documents/d.ts': `import sharp from 'sharp'`,
    })
    expect(result.stderr.trim().split('\n')).toEqual([
      'runtime/b.ts imports kafkajs: only consumers/kafka may',
      'runtime/b.ts uses process.env: only config may',
      'stages/a.ts imports sharp: only runtime may',
    ])
  })

  it('reads no imports out of comments', () => {
    expect(run({ 'schema/a.ts': `// import { x } from '../cli/main.ts'\n/* process.env */\nexport const a = 1` }).status).toBe(0)
  })

  it('fails on a folder without sources instead of passing an empty check', () => {
    expect(run({}).status).toBe(1)
  })
})
