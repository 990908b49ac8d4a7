import { access } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { TextModelConfig } from '../../config/text-model-config.ts'
import { PagestreamError } from '../../schema/failure.ts'
import { reasonOf } from '../../schema/reason.ts'
import { deviceInfo } from '../devices/pin-device.ts'
import { RestartBudget } from '../processes/restart-budget.ts'
import type { Answer } from '../vlm/engine.ts'
import { abortable } from '../vlm/engines/abortable.ts'
import { Turns } from '../vlm/engines/turns.ts'
import type { PlannedAsk } from '../vlm/family.ts'
import { titleLevelsAsk, titleLevelsIn } from '../vlm/title-levels.ts'
import { findLlamaPackage } from './llama-package.ts'
import type { TextModel } from './text-model.ts'
import { TextModelProcess } from './text-model-process.ts'
import type { FromTextModel, TextModelSettings } from './text-model-protocol.ts'

/** Longest time until a model is loaded, from a slow disk too. */
const longestLoadMs = 900_000

const knownTitles = ['1 Rivers', '1.1 Sources', '2 Lakes'].map((text, i) => ({ text, sizePt: [18, 14, 18][i] ?? 14, pageNumber: i + 1 }))

/**
 * A GGUF model that node-llama-cpp runs in a child process. A process that has ended, or was ended because its answer took too long or nobody waits for
 * it any more, is started anew for the next question, as often as `RestartBudget` has it.
 */
export class LocalTextModel implements TextModel {
  readonly #config: TextModelConfig
  readonly #turns = new Turns()
  readonly #restarts = new RestartBudget()
  readonly #stop = new AbortController()
  #settings: TextModelSettings | undefined
  #process: TextModelProcess | undefined

  constructor(config: TextModelConfig) {
    this.#config = config
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  async start(signal?: AbortSignal): Promise<void> {
    try {
      const { file, package: folder } = this.#config
      await access(file).catch((cause: unknown) => {
        throw new PagestreamError('configuration', `starting the text model: textModel.file: ${reasonOf(cause)}`, { cause })
      })
      // Threads that spin for a core that others use make a step ten times slower.
      const threads = Math.max(1, availableParallelism() - 1)
      this.#settings = { packageUrl: findLlamaPackage(folder), file, gpu: deviceInfo()?.id !== 'cpu', threads }
      await this.#answerKnown(signal ?? this.#stop.signal)
    } catch (error) {
      await this[Symbol.asyncDispose]()
      throw error
    }
  }

  askText(ask: PlannedAsk, signal: AbortSignal): Promise<Answer> {
    const either = AbortSignal.any([signal, this.#stop.signal])
    return this.#turns.take('text-model', () => this.#ask(ask, either), either)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#process?.end()
  }

  async #answerKnown(signal: AbortSignal): Promise<void> {
    const { text } = await this.askText(titleLevelsAsk(knownTitles), signal)
    if (titleLevelsIn(text, knownTitles.length)) return
    throw new PagestreamError('engine-refused', 'trying the text model with known headings: it does not end a short answer that it is held to')
  }

  async #ask({ prompt, maxTokens, answerSchema: schema }: PlannedAsk, signal: AbortSignal): Promise<Answer> {
    const child = await this.#ready(signal)
    const word = await this.#within(this.#config.timeoutMs, signal, child, child.send({ kind: 'ask', question: { prompt, maxTokens, schema } }))
    if (word.kind !== 'answer') throw new PagestreamError('internal', 'asking the text model: its process answers another question')
    return word.answer
  }

  /** The process, started anew where it has ended. */
  async #ready(signal: AbortSignal): Promise<TextModelProcess> {
    if (this.#process && !this.#process.isClosed) return this.#process
    const settings = this.#settings
    if (!settings) throw new PagestreamError('internal', 'asking the text model: it was not started')
    if (this.#process && this.#restarts.next(performance.now()) === undefined) {
      throw new PagestreamError('engine-refused', 'asking the text model: its process has ended too often')
    }
    const child = new TextModelProcess()
    this.#process = child
    await this.#within(longestLoadMs, signal, child, child.send({ kind: 'load', settings }))
    this.#restarts.runs(performance.now())
    return child
  }

  /** A process whose word does not come in time, or that nobody listens to any more, is ended: nothing else stops it for sure. */
  async #within(ms: number, signal: AbortSignal, child: TextModelProcess, word: Promise<FromTextModel>): Promise<FromTextModel> {
    const late = AbortSignal.timeout(ms)
    try {
      return await abortable(word, AbortSignal.any([signal, late]), 'asking the text model')
    } catch (error) {
      const givenUp = error instanceof PagestreamError && error.code === 'cancelled'
      if (givenUp) {
        word.catch(() => undefined)
        await child.end()
      }
      if (givenUp && late.aborted && !signal.aborted)
        throw new PagestreamError('engine-timeout', `asking the text model: no answer in ${ms} ms`, { cause: error })
      throw error
    }
  }
}
