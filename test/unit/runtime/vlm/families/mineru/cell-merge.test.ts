import { describe, expect, it } from 'vitest'
import { cellMergeAsk, cellMergeFlags } from '../../../../../../src/runtime/vlm/families/mineru/cell-merge.ts'
import { pythonRepr } from '../../../../../../src/runtime/vlm/families/mineru/python-repr.ts'

describe('the question about cells', () => {
  it('is worded as the model was taught', () => {
    const { prompt, decoding } = cellMergeAsk(["it's lo", '1'], ['ng', ''])
    expect(prompt.split('\n')).toEqual([
      'Please merge the next two tables.',
      '',
      '## Table 1 (Previous Page - Last Table)',
      '',
      '**Caption:** (No caption)',
      '**Last Row(s) Data:**',
      `[["it's lo", '1']]`,
      '',
      '---',
      '',
      '## Table 2 (Current Page - First Table)',
      '',
      '**Caption:** (No caption)',
      '**First Data Row(s):**',
      "[['ng', '']]",
    ])
    expect(decoding).toMatchObject({ temperature: 0, presencePenalty: 1, frequencyPenalty: 0.05 })
  })

  it('folds full-width letters and trims', () => {
    expect(cellMergeAsk([' ＡＢ１（续） '], ['x']).prompt).toContain("[['AB1(续)']]")
  })
})

describe('Python’s repr', () => {
  it.each([
    ['plain', "'plain'"],
    ["it's", `"it's"`],
    [`it's "so"`, `'it\\'s "so"'`],
    ['"so"', `'"so"'`],
    ['a\\b', "'a\\\\b'"],
    ['a\nb\tc\r', "'a\\nb\\tc\\r'"],
    ['\u0001\u00a0\u200b\u{e0001}', "'\\x01\\xa0\\u200b\\U000e0001'"],
    ['é 表 😀', "'é 表 😀'"],
  ])('of %j', (text, shown) => {
    expect(pythonRepr(text)).toBe(shown)
  })
})

describe('the answer', () => {
  it('is the first list of zeros and ones', () => {
    expect(cellMergeFlags('[1, 0]', 2)).toEqual([true, false])
    expect(cellMergeFlags('The answer: [0,1,1] since the last two go on', 3)).toEqual([false, true, true])
  })

  it.each(['[1,2]', '[1 0]', '[]', '[1]', '', 'none', '[01,1]', '[,]', '[1,0', `${'['.repeat(50_000)}1,0]`])('is nothing where it reads %.20s', (answer) => {
    expect(cellMergeFlags(answer, 2)).toBeUndefined()
  })
})
