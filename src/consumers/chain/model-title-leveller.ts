import type { TextModel } from '../../runtime/text-model/text-model.ts'
import { mostTitles, titleLevelsAsk, titleLevelsIn } from '../../runtime/vlm/title-levels.ts'
import type { HeadingToLevel, TitleLeveller } from '../../stages/assemble/survey/title-leveller.ts'

/** Longest time for the answer about a document. */
const longestMs = 120_000

/** Who is asked: a text model, or a vision-language model that answers questions about text. */
export type TextAsker = Pick<TextModel, 'askText'>

/** Asks a model once for the levels of a document's headings. One that was taught to read alone gives no answer that counts. */
export class ModelTitleLeveller implements TitleLeveller {
  readonly #asker: TextAsker
  readonly #timeoutMs: number

  constructor(asker: TextAsker, timeoutMs = longestMs) {
    this.#asker = asker
    this.#timeoutMs = timeoutMs
  }

  async levels(headings: readonly HeadingToLevel[], signal: AbortSignal): Promise<readonly number[] | undefined> {
    if (headings.length > mostTitles) return undefined
    try {
      const { text, finish } = await this.#asker.askText(titleLevelsAsk(headings), AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]))
      return finish === 'stop' ? titleLevelsIn(text, headings.length) : undefined
    } catch {
      return undefined
    }
  }
}
