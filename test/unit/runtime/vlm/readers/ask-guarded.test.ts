import { expect, it } from 'vitest'
import { askGuarded } from '../../../../../src/runtime/vlm/readers/ask-guarded.ts'
import { fakeAsker } from './fake-asker.ts'

const decoding = { temperature: 0, topP: 1, topK: 1, repetitionPenalty: 1, presencePenalty: 0, frequencyPenalty: 0 }
const ask = { task: 'text', prompt: 'Text?', decoding, maxTokens: 400 }

it('an answer that is cut where it runs in circles was stopped, whatever its engine says of its end', async () => {
  const circles = `All is said. ${'and on '.repeat(400)}`
  const asker = fakeAsker(() => circles)
  const deaf = {
    ...asker,
    async ask(...[given, { listen }]: Parameters<typeof asker.ask>) {
      listen?.(circles)
      return { ...(await asker.ask(given, { priority: 0 })), finish: 'stop' as const }
    },
  }
  const { text, finish } = await askGuarded(deaf, ask, { priority: 0, guard: {} })
  expect([text.length < 100, finish]).toEqual([true, 'stopped'])
})
