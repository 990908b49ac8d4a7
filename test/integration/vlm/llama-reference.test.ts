import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../src/runtime/vlm/engine.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { RandomModel } from '../../support/vlm/random-model.ts'
import { greedy, type TinyLlama, tinyLlama } from '../../support/vlm/tiny-llama-engine.ts'

const found = await tinyLlama()
const missing = 'missing' in found ? found.missing : undefined
const tiny = found as TinyLlama

const window = 128
const length = 420
/** Scores lie some units apart; those of the library are rounded on the way, so that of near-equals either may be taken. */
const tolerance = 0.5

/** At how many tokens the answer is not what the reference would write, when the token at a position sees what `sees` lets it. */
function strays(model: RandomModel, { text, promptTokens }: Answer, sees: (earlier: number, position: number) => boolean): number {
  model.read(promptTokens, text)
  return [...text].filter((letter, n) => {
    const position = promptTokens + n - 1
    const scores = model.scores(position, (earlier) => sees(earlier, position))
    return (scores.get(letter) ?? Number.NEGATIVE_INFINITY) < Math.max(...scores.values()) - tolerance
  }).length
}

/** Answers that are written at once. */
async function write(model: RandomModel, count: number, options: { cells: number; window: number }): Promise<Answer[]> {
  const path = join(await tempFolder(), 'random.gguf')
  await writeFile(path, model.file)
  await using engine = tiny.engine(options, { model: path, slots: count })
  await engine.start()
  const prompts = Array.from({ length: count }, (_, i) => 'go '.repeat(i + 1))
  return await Promise.all(prompts.map((prompt) => engine.ask({ task: 'test', system: '', prompt, decoding: greedy, maxTokens: length })))
}

const whole = (): boolean => true
const last =
  (reach: number, prompt: number) =>
  (earlier: number, position: number): boolean =>
    earlier < prompt || earlier > position - reach

describe.skipIf(missing !== undefined)(`what a written token sees, against a reference in 64 bits${missing ? ` (needs ${missing})` : ''}`, () => {
  it('is the whole prompt and the last 128 written tokens with the window, in 256 cells', async () => {
    const model = new RandomModel(tiny.config().model, 1)
    for (const answer of await write(model, 2, { cells: 256, window })) {
      expect(answer.text).toHaveLength(length)
      expect(strays(model, answer, last(window, answer.promptTokens))).toBe(0)
      expect(strays(model, answer, whole)).toBeGreaterThan(50)
    }
  })

  it('is everything without the window', async () => {
    const model = new RandomModel(tiny.config().model, 1)
    for (const answer of await write(model, 1, { cells: 512, window: 0 })) {
      expect(answer.text).toHaveLength(length)
      expect(strays(model, answer, whole)).toBe(0)
      expect(strays(model, answer, last(window, answer.promptTokens))).toBeGreaterThan(50)
    }
  })
})
