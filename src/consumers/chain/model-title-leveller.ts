import type { VlmPageReader } from '../../runtime/vlm/page-reader.ts'
import { mostTitles, titleLevelsAsk, titleLevelsIn } from '../../runtime/vlm/title-levels.ts'
import type { HeadingToLevel, TitleLeveller } from '../../stages/assemble/survey/title-leveller.ts'

/** Longest time for the answer about a document. */
const longestMs = 120_000

/** Asks a model once for the levels of a document's headings. One that was taught to read alone gives no answer that counts. */
export class ModelTitleLeveller implements TitleLeveller {
  readonly #reader: Required<Pick<VlmPageReader, 'askText'>>
  readonly #timeoutMs: number

  constructor(reader: Required<Pick<VlmPageReader, 'askText'>>, timeoutMs = longestMs) {
    this.#reader = reader
    this.#timeoutMs = timeoutMs
  }

  async levels(headings: readonly HeadingToLevel[], signal: AbortSignal): Promise<readonly number[] | undefined> {
    if (headings.length < 2 || headings.length > mostTitles) return undefined
    try {
      const { text, finish } = await this.#reader.askText(titleLevelsAsk(headings), AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]))
      return finish === 'stop' ? titleLevelsIn(text, headings.length) : undefined
    } catch {
      return undefined
    }
  }
}
