import { cellMergeAsk, cellMergeFlags } from '../../runtime/vlm/families/mineru/cell-merge.ts'
import type { VlmPageReader } from '../../runtime/vlm/page-reader.ts'
import type { CellMerger } from '../../stages/assemble/flow/cell-merger.ts'

type TextReader = Required<Pick<VlmPageReader, 'askText'>>

/** Questions of one document that are under way at once. */
const mostAtOnce = 4
/** Longest time for an answer of a few figures. */
const longestMs = 60_000
/** From its first question on, a document has so long; a table over thousands of pages is put together by its words from there. */
const longestDocumentMs = 240_000
/** After so many in a row without a sensible answer nothing more is asked for the document. */
const mostFailures = 3
/** Longer rows leave no room in the model's context, and are no rows that a page cut. */
const longestRows = 16_000

/** Who is asked about the tables of one document; undefined where the model was not taught to answer. */
export function cellMerger(reader: Pick<VlmPageReader, 'family' | 'askText'>): CellMerger | undefined {
  const { askText } = reader
  return reader.family === 'mineru2.5' && askText ? new ModelCellMerger({ askText: askText.bind(reader) }) : undefined
}

/** Asks MinerU2.5 which cells go on over the end of a page. An engine that is away costs a document no more than a few timeouts. */
export class ModelCellMerger implements CellMerger {
  readonly #reader: TextReader
  readonly #timeoutMs: number
  readonly #documentMs: number
  readonly #waiting: (() => void)[] = []
  #underWay = 0
  #failures = 0
  #until: number | undefined

  constructor(
    reader: TextReader,
    { timeoutMs = longestMs, documentMs = longestDocumentMs }: { readonly timeoutMs?: number; readonly documentMs?: number } = {},
  ) {
    this.#reader = reader
    this.#timeoutMs = timeoutMs
    this.#documentMs = documentMs
  }

  async merge(lastRow: readonly string[], firstRow: readonly string[], signal: AbortSignal): Promise<readonly boolean[] | undefined> {
    const characters = [...lastRow, ...firstRow].reduce((sum, text) => sum + text.length, 0)
    if (characters > longestRows) return undefined
    await this.#turn()
    try {
      this.#until ??= performance.now() + this.#documentMs
      if (this.#failures >= mostFailures || signal.aborted || performance.now() >= this.#until) return undefined
      const flags = await this.#ask(lastRow, firstRow, signal)
      this.#failures = flags ? 0 : this.#failures + 1
      return flags
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#underWay--
    }
  }

  async #ask(lastRow: readonly string[], firstRow: readonly string[], signal: AbortSignal): Promise<readonly boolean[] | undefined> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)])
    try {
      const { text } = await this.#reader.askText(cellMergeAsk(lastRow, firstRow), limit)
      return cellMergeFlags(text, lastRow.length)
    } catch {
      return undefined
    }
  }

  /** Waits until few enough are under way, first come first served. */
  async #turn(): Promise<void> {
    if (this.#underWay < mostAtOnce) this.#underWay++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
