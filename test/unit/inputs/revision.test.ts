import { expect, it } from 'vitest'
import { configSchema } from '../../../src/config/config.ts'
import { settingsOf } from '../../../src/config/what-decides.ts'
import { revisionOf } from '../../../src/inputs/identify.ts'

const revision = (config: object) => revisionOf('00', configSchema.parse(config), undefined)
const settings = (config: object) => settingsOf(configSchema.parse(config))

it('a text model makes other revisions, by the name of its file and not by where that lies', () => {
  const one = revision({ textModel: { file: '/models/one.gguf' } })
  expect(one).not.toBe(revision({}))
  expect(one).not.toBe(revision({ textModel: { file: '/models/two.gguf' } }))
  expect(one).toBe(revision({ textModel: { file: '/srv/one.gguf', timeoutMs: 5, package: '/opt' } }))
})

it('settings tell whether headings are asked about, not of whom', () => {
  const one = settings({ textModel: { file: 'one.gguf' } })
  expect(one).not.toBe(settings({}))
  expect(one).toBe(settings({ textModel: { file: 'two.gguf' } }))
})
