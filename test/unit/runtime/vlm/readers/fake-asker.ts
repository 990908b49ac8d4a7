import type { Answer, Ask } from '../../../../../src/runtime/vlm/engine.ts'
import type { Asker } from '../../../../../src/runtime/vlm/readers/asker.ts'

export interface FakeAsker extends Asker {
  readonly asked: Ask[]
  /** Of each page that was let in: what it was said to ask, from the first word on. */
  readonly expected: number[][]
}

/** Answers from a script, a few characters at a time; an error instead of text is thrown. */
export function fakeAsker(
  script: (ask: Ask, times: number) => string | Error | { readonly text: string; readonly finish: Answer['finish']; readonly outputTokens?: number },
): FakeAsker {
  const asked: Ask[] = []
  const expected: number[][] = []
  return {
    asked,
    expected,
    model: 'fake',
    slots: 4,
    start: async () => {},
    tryOutWith: () => {},
    async room(questions) {
      const said = [questions]
      expected.push(said)
      return { expect: (more) => said.push(more) }
    },
    async ask(ask, { listen }) {
      const said = script(ask, asked.filter((each) => each.task === ask.task && each.prompt === ask.prompt).length)
      asked.push(ask)
      if (said instanceof Error) throw said
      const { text, finish, outputTokens } =
        typeof said === 'string' ? { text: said, finish: 'stop' as const, outputTokens: undefined } : { outputTokens: undefined, ...said }
      let heard = ''
      for (const piece of text.match(/.{1,5}/gsu) ?? []) {
        heard += piece
        if (listen?.(piece) === 'enough') return answer(heard, 'stopped', outputTokens)
      }
      return answer(heard, finish, outputTokens)
    },
    async [Symbol.asyncDispose]() {},
  }
}

const answer = (text: string, finish: Answer['finish'], outputTokens = text.length): Answer => ({
  text,
  finish,
  promptTokens: 10,
  outputTokens,
  firstTokenMs: 1,
  totalMs: 2,
})
