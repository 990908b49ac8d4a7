import { describe, expect, it } from 'vitest'
import { endsSentence } from '../../../src/text/sentence-end.ts'

describe('endsSentence', () => {
  it.each([
    'Done.',
    'Really?',
    'He said “no.”',
    'Known [3].',
    'known.3'.replace('3', '³'),
    '结束。',
    '終わり」。',
    'انتهى؟',
    'समाप्त।',
    'the U.S.A.',
    'wait…',
    '(Done.)',
  ])('sees the end of %j', (text) => {
    expect(endsSentence(text)).toBe(true)
  })
  it.each(['and then', 'e.g.', 'as Fig.', 'by J.', 'a list:', '其中，', '', 'Dr.', 'siehe z.B.'])('sees none in %j', (text) => {
    expect(endsSentence(text)).toBe(false)
  })
})
