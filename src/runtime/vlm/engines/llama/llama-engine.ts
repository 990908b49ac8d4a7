import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import type { EngineConfig } from '../../../../config/vlm-config.ts'
import { PagestreamError } from '../../../../schema/failure.ts'
import { deviceInfo } from '../../../devices/pin-device.ts'
import { defaultRestarts, type RestartLimits } from '../../../processes/restart-budget.ts'
import type { Answer, Ask, AskOptions, EngineLoad, VlmEngine } from '../../engine.ts'
import { abortable } from '../abortable.ts'
import { flattenPicture } from './flatten-picture.ts'
import type { LlamaFacts, LlamaFigures, LlamaQuestion, LlamaSettings } from './llama-protocol.ts'
import { maxQuestions } from './llama-protocol.ts'
import { MindedChild } from './minded-child.ts'
import { PendingAnswer } from './pending-answer.ts'

/** What the configuration has no key for. */
export interface LlamaOptions {
  /** Cells of a sequence; else by the model. */
  readonly cells?: number
  /** Most tokens of a picture; else by the model. */
  readonly imageTokens?: number
  /** Written tokens that are kept, for any model; else for those that were trained with such a window. 0: all. */
  readonly window?: number
  /** False: nothing runs on a GPU; else as the process is pinned. */
  readonly gpu?: boolean
  /** How often the process is started again when it ends. */
  readonly restarts?: RestartLimits
  /** Its process ended by itself and is started again. */
  readonly onRestart?: () => void
}

const defaultSlots = 4
/** The library knows no more sequences. */
const maxSlots = 256

/** Tokens and times of all answers so far. */
export interface LlamaTotals {
  answers: number
  promptTokens: number
  outputTokens: number
  promptMs: number
  writeMs: number
}

/**
 * llama.cpp as a library in a child process: the model that `vlm.engine` names, with the window of written tokens that Unlimited-OCR was trained
 * with. Questions are worked on at once up to `slots`; further ones wait in the process. When the process ends, those in hand fail and it is
 * started again, so many times and after growing pauses; until it is up questions are refused with `engine-unreachable`. It sees the devices that this
 * process is pinned to.
 */
export class LlamaEngine implements VlmEngine {
  readonly name = 'llama-cpp'
  readonly model: string
  readonly slots: number
  readonly totals: LlamaTotals = { answers: 0, promptTokens: 0, outputTokens: 0, promptMs: 0, writeMs: 0 }
  readonly #config: EngineConfig
  readonly #child: MindedChild
  readonly #inHand = new Map<number, PendingAnswer>()
  #nextId = 1

  /** Throws `configuration` for keys that are missing or too large. */
  constructor(config: EngineConfig, options: LlamaOptions = {}) {
    const settings = settingsOf(config, options)
    this.#config = config
    this.model = basename(config.model).replace(/\.gguf$/i, '')
    this.slots = settings.slots
    this.#child = new MindedChild(
      settings,
      { startMs: config.startMs, restarts: options.restarts ?? defaultRestarts },
      {
        message: (message) => {
          if (message.kind === 'pieces') for (const { id, text } of message.pieces) this.#inHand.get(id)?.hear(text)
          if (message.kind === 'done') this.#finish(message.id, message.figures)
          if (message.kind === 'failed') this.#fail(message.id, new PagestreamError(message.code, message.message))
        },
        ...(options.onRestart && { restarts: options.onRestart }),
        gone: (error) => {
          for (const id of [...this.#inHand.keys()]) this.#fail(id, error)
        },
      },
    )
  }

  /** What was loaded; undefined while nothing is. */
  get facts(): LlamaFacts | undefined {
    return this.#child.facts
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  async start(signal?: AbortSignal): Promise<void> {
    try {
      await abortable(this.#child.ready(), signal, 'loading llama.cpp')
    } catch (error) {
      await this.#child.end()
      throw error
    }
  }

  async ask(ask: Ask, options: AskOptions = {}): Promise<Answer> {
    const askedMs = performance.now()
    if (options.signal?.aborted) throw new PagestreamError('cancelled', 'asking the model: it was stopped')
    const picture = ask.picture && (await flattenPicture(ask.picture))
    await abortable(this.#child.ready(), options.signal, 'asking the model')
    if (this.#inHand.size >= maxQuestions) throw new PagestreamError('engine-busy', 'asking the model: too many questions are in hand')
    const id = this.#nextId++
    const { system, prompt, decoding, maxTokens } = ask
    return await this.#put({ id, system, prompt, picture, decoding, maxTokens }, options, askedMs)
  }

  async load(): Promise<EngineLoad> {
    const running = Math.min(this.slots, this.#inHand.size)
    return { running, waiting: this.#inHand.size - running }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.end()
    for (const id of [...this.#inHand.keys()]) this.#fail(id, new PagestreamError('cancelled', 'asking the model: the engine was stopped'))
  }

  #put(question: LlamaQuestion, options: AskOptions, askedMs: number): Promise<Answer> {
    const { id } = question
    const cancel = (): void => this.#child.send({ kind: 'cancel', id })
    const pending = new PendingAnswer(options, this.#config, askedMs, {
      cancel,
      late: () => {
        cancel()
        // What was given up must be out of the library's hands after as long a silence again, or the process hangs.
        setTimeout(() => this.#inHand.has(id) && this.#child.kill(), this.#config.silenceMs).unref()
      },
    })
    this.#inHand.set(id, pending)
    this.#child.send({ kind: 'ask', question })
    return pending.answer
  }

  #finish(id: number, figures: LlamaFigures): void {
    const { totals } = this
    totals.answers++
    totals.promptTokens += figures.promptTokens
    totals.outputTokens += figures.outputTokens
    totals.promptMs += figures.promptMs
    totals.writeMs += figures.writeMs
    this.#inHand.get(id)?.finish(figures)
    this.#inHand.delete(id)
  }

  #fail(id: number, error: PagestreamError): void {
    this.#inHand.get(id)?.fail(error)
    this.#inHand.delete(id)
  }
}

function settingsOf(config: EngineConfig, options: LlamaOptions): LlamaSettings {
  const missing = (['library', 'model', 'projector'] as const).filter((key) => config[key] === '')
  if (missing.length > 0) throw new PagestreamError('configuration', `starting llama.cpp: vlm.engine.${missing.join(', vlm.engine.')} must be set`)
  if (config.slots > maxSlots) throw new PagestreamError('configuration', `starting llama.cpp: vlm.engine.slots may be ${maxSlots} at most`)
  return {
    library: config.library,
    model: config.model,
    projector: config.projector,
    slots: config.slots || defaultSlots,
    // Threads that spin for a core that others use make a step ten times slower.
    threads: Math.max(1, availableParallelism() - 1),
    gpu: options.gpu ?? deviceInfo()?.id !== 'cpu',
    cells: options.cells,
    imageTokens: options.imageTokens,
    window: options.window,
  }
}
