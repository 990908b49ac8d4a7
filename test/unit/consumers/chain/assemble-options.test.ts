import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import { assembleOptions } from '../../../../src/consumers/chain/assemble-options.ts'
import type { VlmPageReader } from '../../../../src/runtime/vlm/page-reader.ts'
import { MemorySink } from '../../../support/memory-sink.ts'
import { source } from '../../../support/page-results.ts'

const askText = async () => ({ text: '[1]', finish: 'stop' as const, promptTokens: 1, outputTokens: 1, firstTokenMs: 1, totalMs: 1 })
const options = (reader: Partial<VlmPageReader> | undefined, titleLevels: boolean) =>
  assembleOptions(source, new MemorySink(), {
    config: configSchema.parse({ vlm: { titleLevels } }),
    documents: {} as never,
    model: reader && { reader: reader as VlmPageReader },
  })

describe('whom assemble asks', () => {
  it('is nobody without a model', () => {
    const { cells, titles } = options(undefined, true)
    expect([cells, titles]).toEqual([undefined, undefined])
  })

  it('is MinerU2.5 about cells, and about levels where the configuration says so', async () => {
    const plain = options({ family: 'mineru2.5', askText }, false)
    expect(await plain.cells?.merge(['a'], ['b'], new AbortController().signal)).toEqual([true])
    expect(plain.titles).toBeUndefined()
    expect(options({ family: 'mineru2.5', askText }, true).titles).toBeDefined()
    expect(options({ family: 'teleocr', askText }, false).cells).toBeUndefined()
  })
})
