import { describe, expect, it } from 'vitest'
import { LogTail } from '../../../../../../src/runtime/vlm/engines/llama/log-tail.ts'

describe('the end of a log', () => {
  it('is its last twenty lines', () => {
    const tail = new LogTail()
    for (let i = 0; i < 300; i++) tail.push(`line ${i}\n`)
    const lines = tail.text.split('\n')
    expect(lines).toHaveLength(20)
    expect([lines[0], lines[19]]).toEqual(['line 280', 'line 299'])
  })

  it('puts lines together that come in pieces, and holds one that is not ended', () => {
    const tail = new LogTail()
    for (const piece of ['one\ntw', 'o\n\n', 'thr']) tail.push(piece)
    expect(tail.text).toBe('one\ntwo\nthr')
  })

  it('stays short whatever is written', () => {
    const tail = new LogTail()
    for (let i = 0; i < 50; i++) tail.push('x'.repeat(10_000))
    tail.push(`\n${'y'.repeat(100_000)}\n`.repeat(100))
    expect(tail.text.length).toBeLessThan(20_000)
  })
})
