import { describe, expect, it } from 'vitest'
import { promptForm } from '../../../../../../src/runtime/vlm/engines/llama/prompt-form.ts'

describe('how a model is asked', () => {
  it('is the chat form of Qwen for MinerU2.5', () => {
    const { parts, keepsTail, window } = promptForm('qwen2vl')
    expect(parts(undefined, '\nLayout Detection:')).toEqual({
      before: '<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\n',
      words: '\nLayout Detection:',
      after: '<|im_end|>\n<|im_start|>assistant\n',
    })
    expect(parts('Be brief.', '').before).toContain('system\nBe brief.<|im_end|>')
    expect({ keepsTail, window }).toEqual({ keepsTail: true, window: 0 })
  })

  it('is picture and instruction alone for Unlimited-OCR, with its window of 128', () => {
    const { parts, keepsTail, window, cells } = promptForm('deepseek2-ocr')
    expect(parts(undefined, 'document parsing.')).toEqual({ before: '', words: 'document parsing.', after: '' })
    expect({ keepsTail, window }).toEqual({ keepsTail: false, window: 128 })
    expect(cells).toBeGreaterThanOrEqual(3120 + 128)
  })

  it.each(['llama', '', 'constructor', 'a b'])('is not known for the architecture "%s"', (architecture) => {
    expect(() => promptForm(architecture)).toThrow(/is none of qwen2vl, deepseek2-ocr/)
  })
})
