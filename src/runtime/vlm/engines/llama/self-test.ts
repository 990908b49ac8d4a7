import { PagestreamError } from '../../../../schema/failure.ts'
import type { LlamaSettings } from './llama-protocol.ts'
import type { LoadedModel } from './loaded-model.ts'
import { ScoreRows } from './score-rows.ts'
import { TokenBatch } from './token-batch.ts'
import { tokenise } from './tokenise.ts'

const testTokens = 8
/** Positions that are dropped in the middle. */
const dropped = { first: 2, end: 5 } as const

/**
 * Tries what everything stands on with the model that is there: what was set is what the library has, it gives numbers, and single cells of a
 * sequence can be dropped. Costs eight tokens. Throws `engine-refused`.
 */
export function selfTest(model: LoadedModel, settings: LlamaSettings): void {
  const { library, context, memory, cells } = model
  const { llama } = library
  const need = (what: string, holds: boolean): void => {
    if (!holds) throw new PagestreamError('engine-refused', `trying llama.cpp: ${what}`)
  }
  need('it has another number of sequences than it was told', llama.llama_n_seq_max(context) === settings.slots)
  need('it has fewer cells than it was told', cells >= (settings.cells ?? model.form.cells))
  need('it takes no batch of all answers', model.batch >= settings.slots)

  const sequence = settings.slots - 1
  const size = (): number => Number(llama.llama_state_seq_get_size(context, sequence))
  const empty = size()
  const text = tokenise(model, '1 2 3 4 5 6 7 8 9', { control: false, start: false })
  const batch = new TokenBatch(library.koffi, testTokens)
  for (let i = 0; i < testTokens; i++) batch.add(text[i % text.length] ?? 0, i, sequence, i === testTokens - 1)
  need('it evaluates no tokens', llama.llama_decode(context, batch.native) === 0)
  const [first] = new ScoreRows(model).row(-1)
  need('its scores are no numbers', first !== undefined && Number.isFinite(first))
  const full = size()
  llama.llama_memory_seq_rm(memory, sequence, dropped.first, dropped.end)
  const gone = dropped.end - dropped.first
  const cell = (full - empty) / testTokens
  need('single cells of a sequence cannot be dropped', cell > 0 && Math.abs(full - size() - gone * cell) < cell)
  llama.llama_memory_seq_rm(memory, sequence, -1, -1)
}
