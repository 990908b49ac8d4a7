import { describe, expect, it } from 'vitest'
import type { LlamaQuestion } from '../../../../../../src/runtime/vlm/engines/llama/llama-protocol.ts'
import { WrittenAnswer } from '../../../../../../src/runtime/vlm/engines/llama/written-answer.ts'

const decoding = { temperature: 0, topP: 1, topK: 0, repetitionPenalty: 1, presencePenalty: 0, frequencyPenalty: 0 }
const question = (maxTokens: number): LlamaQuestion => ({ id: 7, system: undefined, prompt: '', picture: undefined, decoding, maxTokens })
const answer = (maxTokens = 1000, room = 1000) => new WrittenAnswer(question(maxTokens), { place: 1, sequence: 0 }, { tokens: 50, next: 40, ms: 1, room })
const bytes = new Uint8Array([65])

describe('an answer that is being written', () => {
  it('counts positions on from the prompt, which may have more tokens than positions', () => {
    const given = answer()
    given.write(1, bytes)
    expect(given.position).toBe(40)
    given.write(2, bytes)
    expect(given.position).toBe(41)
  })

  it('drops the token that is 128 before the one that is read, and none of the prompt', () => {
    const given = answer()
    for (let i = 0; i < 128; i++) given.write(i, bytes)
    expect(given.pushedOut(128)).toBeUndefined()
    given.write(128, bytes)
    expect(given.pushedOut(128)).toBe(40)
    given.write(129, bytes)
    expect(given.pushedOut(128)).toBe(41)
    expect(given.pushedOut(0)).toBeUndefined()
  })

  it('is full at the limit that was asked for or the room that there is', () => {
    const [asked, room] = [answer(2), answer(1000, 1)]
    asked.write(1, bytes)
    room.write(1, bytes)
    expect([asked.full, room.full]).toEqual([false, true])
    asked.write(1, bytes)
    expect(asked.full).toBe(true)
    expect(asked.figures('length')).toMatchObject({ finish: 'length', promptTokens: 50, outputTokens: 2, promptMs: 1 })
  })

  it('gives characters when they are whole, and says what was never completed', () => {
    const given = answer()
    const smile = Buffer.from('🙂')
    expect([given.write(1, smile.subarray(0, 2)), given.write(2, smile.subarray(2))]).toEqual(['', '🙂'])
    expect([given.write(3, smile.subarray(0, 2)), given.rest()]).toEqual(['', '\ufffd'])
  })
})
