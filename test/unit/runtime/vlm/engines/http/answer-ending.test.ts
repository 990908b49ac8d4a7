import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerEnding } from '../../../../../../src/runtime/vlm/engines/http/answer-ending.ts'

const marks = ['<|im_end|>', '<|endoftext|>']

function piecesOf(pieces: readonly string[]): string[] {
  const ending = new AnswerEnding(marks)
  return [...pieces.map((piece) => ending.push(piece)), ending.end()]
}

describe('AnswerEnding', () => {
  it.each([
    ['a<|im_end|>', 'a'],
    ['a<|endoftext|>', 'a'],
    ['a<|im_end|> ', 'a<|im_end|> '],
    ['a<|im_end|><|im_end|>', 'a<|im_end|>'],
    ['<|im_end|>', ''],
    ['a <|im_', 'a <|im_'],
    ['a<|IM_END|>', 'a<|IM_END|>'],
    ['', ''],
  ])('makes %j to %j', (text, left) => {
    expect(piecesOf([text]).join('')).toBe(left)
    expect(piecesOf([...text]).join('')).toBe(left)
  })

  it('gives on at once what cannot be a mark', () => {
    expect(piecesOf(['a', '<', 'b', 'c<|im'])).toEqual(['a', '', '<b', 'c', '<|im'])
  })

  it('never gives half a character', () => {
    expect(piecesOf(['a\ud83d', '\ude00b'])).toEqual(['a', '\u{1f600}b', ''])
  })

  it('changes nothing but the end, however the text is cut', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom('<', '<|', '<|im_end', '<|im_end|>', '<|endoftext|>'))
    fc.assert(
      fc.property(fc.array(part), (pieces) => {
        const text = pieces.join('')
        const mark = marks.find((each) => text.endsWith(each))
        expect(piecesOf(pieces).join('')).toBe(mark === undefined ? text : text.slice(0, -mark.length))
      }),
    )
  })
})
