import { PagestreamError } from '../../../../schema/failure.ts'
import type { LoadedModel } from './loaded-model.ts'

/** Addresses of scores change when a batch grows, and then no more. */
const maxViews = 1024

/** The library's scores as arrays on its own memory: nothing is copied. */
export class ScoreRows {
  readonly #model: LoadedModel
  readonly #views = new Map<bigint, Float32Array>()

  constructor(model: LoadedModel) {
    this.#model = model
  }

  /** Scores of a row of the last batch, -1 for its last: one for each token, valid until the next batch. Throws `engine-failed`. */
  row(index: number): Float32Array {
    const { library, context, vocabularySize } = this.#model
    const address = library.llama.llama_get_logits_ith(context, index)
    if (address === null) throw new PagestreamError('engine-failed', 'writing an answer: the library has no scores for its next token')
    const known = this.#views.get(address)
    if (known) return known
    if (this.#views.size >= maxViews) this.#views.clear()
    const view = new Float32Array(library.koffi.view(address, vocabularySize * 4))
    this.#views.set(address, view)
    return view
  }
}
