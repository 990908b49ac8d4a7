import { describe, expect, it } from 'vitest'
import type { LineTensor } from '../../../../src/runtime/pp-ocr/recognizer-input.ts'
import { recognizerInput } from '../../../../src/runtime/pp-ocr/recognizer-input.ts'
import { lineText } from '../../../../src/runtime/pp-ocr/word-gaps.ts'

const letter = 16

/** Letters as bars of 16 pixels with the given gap before each; the text as the recogniser wrote it, one step of 8 pixels a letter. */
function line(written: string, gaps: readonly number[]): { tensor: LineTensor; read: { text: string; step: number; probability: number }[]; steps: number } {
  const starts: number[] = []
  let x = 10
  for (const gap of gaps) {
    x += gap
    starts.push(x)
    x += letter
  }
  const width = x + 10
  const data = new Uint8Array(width * 48).fill(255)
  for (const start of starts) for (let y = 14; y < 34; y++) data.fill(0, y * width + start, y * width + start + letter)
  const tensor = recognizerInput({ data, width, height: 48, channels: 1, stride: width })
  let index = -1
  const read = Array.from(written, (text) => {
    if (text !== ' ') index++
    const center = (starts[Math.max(0, index)] as number) + letter / 2
    return { text, step: Math.floor((text === ' ' ? center + letter / 2 + 4 : center) / 8), probability: 0.9 }
  })
  return { tensor, read, steps: tensor.width / 8 }
}

const repaired = (written: string, gaps: readonly number[]): string => {
  const { tensor, read, steps } = line(written, gaps)
  return lineText(read, tensor, steps)
}

describe('word gaps', () => {
  it('become spaces where the recogniser glued Latin words', () => {
    expect(repaired('onetwosix', [0, 2, 2, 14, 2, 2, 14, 2, 2])).toBe('one two six')
  })

  it('leave a line alone whose letters all stand apart', () => {
    expect(repaired('typewriter', [0, 8, 9, 8, 9, 8, 9, 8, 9, 8])).toBe('typewriter')
  })

  it('never part Chinese', () => {
    expect(repaired('計算機視覚', [0, 3, 14, 3, 14])).toBe('計算機視覚')
  })

  it('do not part a mark from its word, nor the narrow ones in a number', () => {
    expect(repaired('end.Now', [0, 2, 2, 12, 14, 2, 2])).toBe('end. Now')
    expect(repaired('2011', [0, 2, 2, 11])).toBe('2011')
  })

  it('need to be about as wide as the spaces that were written', () => {
    expect(repaired('one two six', [0, 2, 2, 24, 2, 2, 24, 2, 11])).toBe('one two six')
  })
})
