import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Config, configSchema } from '../../../src/config/config.ts'
import { identify, revisionOf } from '../../../src/inputs/identify.ts'
import { tempFolder } from '../../support/temp-folder.ts'

describe('identify', () => {
  it('says what a file is by its bytes', async () => {
    const path = join(await tempFolder(), 'named.txt')
    await writeFile(path, '%PDF-1.4\n')
    const sha256 = createHash('sha256').update('%PDF-1.4\n').digest('hex')
    expect(await identify(path, 'named.txt', 9)).toEqual({ name: 'named.txt', path, bytes: 9, sha256, mediaType: 'application/pdf' })
  })

  it('refuses a file over the limit', async () => {
    const path = join(await tempFolder(), 'a.pdf')
    await writeFile(path, '%PDF-1.4\n')
    await expect(identify(path, 'a.pdf', 8)).rejects.toMatchObject({ code: 'document-too-large' })
  })

  it('says that a file is not there', async () => {
    await expect(identify(join(await tempFolder(), 'a.pdf'), 'a.pdf', 8)).rejects.toMatchObject({ code: 'document-not-found' })
  })

  it.skipIf(process.platform === 'win32')('refuses a pipe instead of waiting for it', async () => {
    const path = join(await tempFolder(), 'a.pdf')
    execFileSync('mkfifo', [path])
    await expect(identify(path, 'a.pdf', 8)).rejects.toMatchObject({ code: 'document-not-supported' })
  })
})

describe('the revision of a document', () => {
  const { vlm, ...config } = configSchema.parse({ vlm: { family: 'mineru2.5', engine: { model: 'a' } } })
  const revisionWith = (changes: Partial<Config['vlm']>) => revisionOf('00', { ...config, vlm: { ...vlm, ...changes } }, undefined)
  const engineWith = (changes: Partial<Config['vlm']['engine']>) => ({ engine: { ...vlm.engine, ...changes } })

  it.each([
    [{ family: 'teleocr' }],
    [{ family: 'none' }],
    [{ effort: 'high' }],
    [{ imageAnalysis: true }],
    [{ titleLevels: true }],
    [engineWith({ model: 'b' })],
    [engineWith({ projector: 'p' })],
  ] as const)('is another one with %j', (changes) => {
    expect(revisionWith(changes)).not.toBe(revisionWith({}))
  })

  it.each([[{ urls: ['http://a'] }], [{ slots: 9 }], [{ managed: true }], [{ timeoutMs: 1 }]])(
    'is the same wherever and however fast the model runs: %j',
    (changes) => {
      expect(revisionWith(engineWith(changes))).toBe(revisionWith({}))
    },
  )
})
