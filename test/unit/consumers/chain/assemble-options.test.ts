import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import { assembleOptions } from '../../../../src/consumers/chain/assemble-options.ts'
import type { TextModel } from '../../../../src/runtime/text-model/text-model.ts'
import type { VlmPageReader } from '../../../../src/runtime/vlm/page-reader.ts'
import { Counters } from '../../../../src/telemetry/counters.ts'
import { MemorySink } from '../../../support/memory-sink.ts'
import { source } from '../../../support/page-results.ts'

const askText = async () => ({ text: '[1]', finish: 'stop' as const, promptTokens: 1, outputTokens: 1, firstTokenMs: 1, totalMs: 1 })
const counters = new Counters()
const options = (reader: Partial<VlmPageReader> | undefined, titleLevels: boolean, textModel?: TextModel) =>
  assembleOptions(source, new MemorySink(), {
    config: configSchema.parse({ vlm: { titleLevels } }),
    documents: {} as never,
    model: reader && { reader: reader as VlmPageReader },
    ...{ textModel, counters },
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

  it('is the text model about levels, with and without a model that reads pages', async () => {
    const asked: string[] = []
    const text: TextModel = {
      start: async () => {},
      async askText({ task, answerSchema }) {
        asked.push(task, JSON.stringify(answerSchema))
        return { ...(await askText()), text: '{"0": 1, "1": 3}' }
      },
      [Symbol.asyncDispose]: async () => {},
    }
    const headings = ['Rivers', 'Sources'].map((name) => ({ text: name, sizePt: 12, pageNumber: 1 }))
    const levels = { enum: [1, 2, 3, 4] }
    for (const reader of [undefined, { family: 'mineru2.5' as const, askText }]) {
      expect(await options(reader, true, text).titles?.levels(headings, new AbortController().signal)).toEqual([1, 3])
    }
    expect(asked.slice(0, 2)).toEqual(['title-levels', JSON.stringify({ type: 'object', properties: { 0: levels, 1: levels } })])
    expect(asked).toHaveLength(4)
  })

  it('is counted for whether it told the levels', () => {
    const { onLevels } = options(undefined, false)
    for (const told of [true, false, true]) onLevels?.(told)
    expect(counters.titleLevels).toEqual({ told: 2, kept: 1 })
  })
})
