import type { Answer, Ask } from '../../../../../src/runtime/vlm/engine.ts'
import type { Asker } from '../../../../../src/runtime/vlm/readers/asker.ts'

export interface FakeAsker extends Asker {
  readonly asked: Ask[]
}

/** Answers from a script, a few characters at a time; an error instead of text is thrown. */
export function fakeAsker(
  script: (ask: Ask, times: number) => string | Error | { readonly text: string; readonly finish: Answer['finish']; readonly outputTokens?: number },
): FakeAsker {
  const asked: Ask[] = []
  return {
    asked,
    model: 'fake',
    slots: 4,
    start: async () => {},
    room: async () => {},
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
