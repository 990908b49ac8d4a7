import { PagestreamError } from '../../../../schema/failure.ts'
import type { LlamaQuestion } from './llama-protocol.ts'
import type { LoadedModel } from './loaded-model.ts'
import { type PictureChunks, pictureChunks } from './picture-chunks.ts'
import type { TokenBatch } from './token-batch.ts'
import { tokenise } from './tokenise.ts'

/** The library ended a call with a code: 1 no free cell, 2 aborted, below 0 refused or broken. */
export class NativeCode extends Error {
  readonly code: number

  constructor(code: number) {
    super(`the library answers with code ${code}`)
    this.code = code
  }
}

export interface ReadPrompt {
  readonly tokens: number
  /** Position of the first token that is written. A picture may have fewer positions than tokens. */
  readonly next: number
}

/**
 * Evaluates a prompt in an empty sequence; the scores of its last token are then in the library's last row. Overwrites the scores of all
 * other sequences. Throws `picture-refused`, `NativeCode`; the sequence must then be emptied.
 */
export function readPrompt(model: LoadedModel, batch: TokenBatch, sequence: number, question: LlamaQuestion): ReadPrompt {
  const parts = model.form.parts(question.system, question.prompt)
  const words = tokenise(model, parts.words, { control: false, start: false })
  const after = tokenise(model, parts.after, { control: true, start: false })
  if (!question.picture) {
    const tokens = [...tokenise(model, parts.before, { control: true, start: true }), ...words, ...after]
    checkRoom(model, tokens.length, question)
    return { tokens: tokens.length, next: readTokens(model, batch, sequence, tokens, 0) }
  }
  using picture = pictureChunks(model, parts.before, question.picture)
  const own = [...words, ...after]
  const tokens = picture.tokens + own.length
  checkRoom(model, own.length === 0 ? 0 : tokens, question)
  return { tokens, next: readTokens(model, batch, sequence, own, readChunks(model, sequence, picture)) }
}

/** All cells that the answer will need must be there before it begins, or one of it would come to nothing in the middle. */
function checkRoom({ cells, window }: LoadedModel, tokens: number, { maxTokens }: LlamaQuestion): void {
  if (tokens === 0) throw new PagestreamError('picture-refused', 'reading the prompt: it is empty')
  const room = cells - (window > 0 ? Math.min(window, maxTokens) : 1)
  if (tokens > room) throw new PagestreamError('picture-refused', `reading the prompt: its ${tokens} tokens are more than the ${room} that there is room for`)
}

function readChunks({ library, projector, context, batch }: LoadedModel, sequence: number, { chunks }: PictureChunks): number {
  const past = new Int32Array(1)
  for (const chunk of chunks) {
    const [first] = past
    const code = library.mtmd.mtmd_helper_eval_chunk_single(projector, context, chunk, first ?? 0, sequence, batch, false, past)
    if (code !== 0) throw new NativeCode(code)
  }
  return past[0] ?? 0
}

/** Answers with the position behind the tokens. */
function readTokens({ library, context }: LoadedModel, batch: TokenBatch, sequence: number, tokens: readonly number[], first: number): number {
  for (let start = 0; start < tokens.length; start += batch.capacity) {
    batch.clear()
    const end = Math.min(start + batch.capacity, tokens.length)
    for (let i = start; i < end; i++) batch.add(tokens[i] as number, first + i, sequence, i === tokens.length - 1)
    const code = library.llama.llama_decode(context, batch.native)
    if (code !== 0) throw new NativeCode(code)
  }
  return first + tokens.length
}
