import { PagestreamError } from '../../../../schema/failure.ts'
import { reasonOf } from '../../../../schema/reason.ts'
import { chooseToken } from './choose-token.ts'
import { type FromChild, flagBytes, type LlamaFigures, type LlamaQuestion } from './llama-protocol.ts'
import type { LoadedModel } from './loaded-model.ts'
import { NativeCode, readPrompt } from './read-prompt.ts'
import { ScoreRows } from './score-rows.ts'
import { TokenBatch } from './token-batch.ts'
import { endTokens, TokenPieces } from './tokenise.ts'
import { WrittenAnswer } from './written-answer.ts'

interface Waiting {
  readonly question: LlamaQuestion
  readonly place: number
}

const nobody = 0
/** So long it works before it looks for new questions. A look costs as much as the rest of what is done here for a token. */
const lookMs = 4
const aborted = 2
const outOfMemory = -2

/**
 * Writes answers, each in a sequence of one context, a token of all of them at a time. The scores of a step are those of the last batch alone:
 * every answer chooses its token before a new prompt is read, and the new one chooses its first before the next step.
 * A question ends when its flag is set: between tokens, and within the library where nobody else waits for the call.
 */
export class AnswerLoop {
  readonly #model: LoadedModel
  readonly #flags: Uint8Array<SharedArrayBuffer>
  readonly #send: (message: FromChild) => void
  readonly #batch: TokenBatch
  readonly #scores: ScoreRows
  readonly #pieces: TokenPieces
  readonly #ends: ReadonlySet<number>
  readonly #waiting: Waiting[] = []
  readonly #live = new Set<WrittenAnswer>()
  readonly #free: number[]
  #written: { id: number; text: string }[] = []
  #running = false
  #listening: number | undefined

  constructor(model: LoadedModel, flags: SharedArrayBuffer, send: (message: FromChild) => void) {
    this.#model = model
    this.#flags = new Uint8Array(flags)
    this.#send = send
    this.#batch = new TokenBatch(model.library.koffi, model.batch)
    this.#scores = new ScoreRows(model)
    this.#pieces = new TokenPieces(model)
    this.#ends = endTokens(model)
    this.#free = Array.from({ length: model.sequences }, (_, i) => model.sequences - 1 - i)
  }

  add(question: LlamaQuestion, place: number): void {
    this.#waiting.push({ question, place })
    if (this.#running) return
    this.#running = true
    void this.#run()
  }

  async #run(): Promise<void> {
    let lookedMs = performance.now()
    while (this.#waiting.length + this.#live.size > 0) {
      this.#chooseTokens()
      this.#dropStopped()
      this.#admitOne()
      this.#tell()
      this.#step()
      if (performance.now() - lookedMs < lookMs) continue
      await new Promise((resolve) => setImmediate(resolve))
      lookedMs = performance.now()
    }
    this.#running = false
  }

  #chooseTokens(): void {
    for (const answer of this.#live) this.#advance(answer)
  }

  #advance(answer: WrittenAnswer): void {
    if (this.#isStopped(answer.place)) {
      this.#finish(answer, 'stopped')
      return
    }
    try {
      const token = chooseToken(this.#scores.row(answer.row), answer.tokens, answer.decoding)
      if (token === undefined) throw new PagestreamError('engine-failed', 'writing an answer: the library gives scores that are no numbers')
      const ends = this.#ends.has(token)
      const text = answer.write(token, ends ? new Uint8Array() : this.#pieces.bytesOf(token))
      if (text !== '' || answer.tokens.length === 1) this.#written.push({ id: answer.id, text })
      if (ends) this.#finish(answer, 'stop')
      else if (answer.full) this.#finish(answer, 'length')
    } catch (error) {
      this.#drop(answer)
      this.#fail(answer.id, error)
    }
  }

  /** Questions that were given up before their turn. */
  #dropStopped(): void {
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      const waiting = this.#waiting[i]
      if (!waiting || !this.#isStopped(waiting.place)) continue
      this.#waiting.splice(i, 1)
      this.#send({ kind: 'done', id: waiting.question.id, figures: nothing })
    }
  }

  /** Reading a prompt holds up all others: one at a time. */
  #admitOne(): void {
    const sequence = this.#free.at(-1)
    if (sequence === undefined) return
    const next = this.#waiting.shift()
    if (!next) return
    const { question, place } = next
    const { id } = question
    const startedMs = performance.now()
    this.#listenTo(place)
    try {
      const prompt = readPrompt(this.#model, this.#batch, sequence, question)
      const { window, cells, positions } = this.#model
      const room = Math.min(positions - prompt.next, window > 0 ? Number.POSITIVE_INFINITY : cells - prompt.tokens)
      const answer = new WrittenAnswer(question, { place, sequence }, { ...prompt, ms: performance.now() - startedMs, room })
      this.#free.pop()
      this.#live.add(answer)
      this.#advance(answer)
    } catch (error) {
      this.#empty(sequence)
      if (error instanceof NativeCode && error.code === aborted) this.#send({ kind: 'done', id, figures: nothing })
      else this.#fail(id, error)
    }
  }

  /** Evaluates the tokens that were chosen last, after what they push out of the window is gone. */
  #step(): void {
    const { library, memory, context, window } = this.#model
    const [first] = this.#live
    if (!first) return
    this.#batch.clear()
    for (const answer of this.#live) {
      const { position, sequence } = answer
      const old = answer.pushedOut(window)
      if (old !== undefined) library.llama.llama_memory_seq_rm(memory, sequence, old, old + 1)
      answer.row = this.#batch.add(answer.tokens.at(-1) ?? 0, position, sequence, true)
    }
    this.#listenTo(this.#live.size === 1 ? first.place : nobody)
    const code = library.llama.llama_decode(context, this.#batch.native)
    if (code === 0) return
    for (const answer of this.#live) {
      if (code === aborted) {
        this.#finish(answer, 'stopped')
        continue
      }
      this.#drop(answer)
      this.#fail(answer.id, new NativeCode(code))
    }
  }

  /** Only the question that a call serves alone may end it; nobody sets the first flag. Works where the CPU computes. */
  #listenTo(place: number): void {
    if (this.#listening === place) return
    const { library, context } = this.#model
    library.llama.llama_set_abort_callback(context, library.strlen, this.#flags.subarray(place * flagBytes, (place + 1) * flagBytes))
    this.#listening = place
  }

  #isStopped(place: number): boolean {
    return Atomics.load(this.#flags, place * flagBytes) !== 0
  }

  #finish(answer: WrittenAnswer, finish: LlamaFigures['finish']): void {
    const text = answer.rest()
    if (text !== '') this.#written.push({ id: answer.id, text })
    this.#tell()
    this.#drop(answer)
    this.#send({ kind: 'done', id: answer.id, figures: answer.figures(finish) })
  }

  #fail(id: number, error: unknown): void {
    this.#tell()
    this.#send({ kind: 'failed', id, ...explain(error) })
  }

  #drop(answer: WrittenAnswer): void {
    this.#live.delete(answer)
    this.#empty(answer.sequence)
    this.#free.push(answer.sequence)
  }

  #empty(sequence: number): void {
    this.#model.library.llama.llama_memory_seq_rm(this.#model.memory, sequence, -1, -1)
  }

  #tell(): void {
    if (this.#written.length === 0) return
    this.#send({ kind: 'pieces', pieces: this.#written })
    this.#written = []
  }
}

const nothing: LlamaFigures = { finish: 'stopped', promptTokens: 0, outputTokens: 0, promptMs: 0, writeMs: 0 }

function explain(error: unknown): Pick<Extract<FromChild, { kind: 'failed' }>, 'code' | 'message'> {
  if (error instanceof PagestreamError) return { code: error.code, message: error.message }
  if (error instanceof NativeCode) {
    const code = error.code === outOfMemory ? 'engine-memory' : 'engine-failed'
    return { code, message: `asking the model: ${error.message}` }
  }
  return { code: 'engine-failed', message: `asking the model: ${reasonOf(error)}` }
}
