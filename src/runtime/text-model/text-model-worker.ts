import { PagestreamError, toFailure } from '../../schema/failure.ts'
import { reasonOf } from '../../schema/reason.ts'
import type { Answer } from '../vlm/engine.ts'
import type { Llama, LlamaModel, LlamaPackage } from './llama-package.ts'
import type { FromTextModel, TextModelSettings, TextQuestion, ToTextModel } from './text-model-protocol.ts'

/**
 * Entry of the child process: a fault of the library, or a question that is given up, ends nothing else. It has one question in hand. Ended by force at
 * any time, and when the process that started it is gone.
 */
interface Loaded {
  readonly llama: Llama
  readonly model: LlamaModel
  readonly package: LlamaPackage
}

/** Tokens that a chat template may put around a prompt. */
const templateTokens = 256
/** Cells of the longest context; its memory grows with it. */
const mostCells = 32_768
/** No token has fewer bytes than this, in the mean over a prompt: what is longer does not fit anyway and is not tokenised. */
const longestPrompt = mostCells * 16

let loaded: Promise<Loaded> | undefined

const send = (message: FromTextModel): void => void process.send?.(message)

// A Ctrl-C goes to all processes of a terminal: ours ends when its parent has no more questions.
process.on('SIGINT', () => undefined)
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('message', (message: ToTextModel) => {
  const work = message.kind === 'load' ? begin(message.settings) : answer(message.question)
  work.then(send, (error: unknown) => {
    const { code, message: text } = toFailure(error)
    send({ kind: 'failed', code, message: text })
  })
})

async function begin(settings: TextModelSettings): Promise<FromTextModel> {
  loaded = load(settings)
  await loaded
  return { kind: 'ready' }
}

async function load({ packageUrl, file, gpu, threads }: TextModelSettings): Promise<Loaded> {
  try {
    const library = (await import(packageUrl)) as LlamaPackage
    const llama = await library.getLlama({
      ...{ gpu: gpu ? 'auto' : false, build: 'never', skipDownload: true, progressLogs: false, logLevel: 'error', maxThreads: threads },
    })
    return { llama, package: library, model: await llama.loadModel({ modelPath: file }) }
  } catch (cause) {
    throw new PagestreamError('engine-refused', `loading the text model: ${reasonOf(cause)}`, { cause })
  }
}

async function answer(question: TextQuestion): Promise<FromTextModel> {
  const parts = await loaded
  if (!parts) throw new PagestreamError('internal', 'asking the text model: it was not loaded')
  try {
    return { kind: 'answer', answer: await ask(question, parts) }
  } catch (cause) {
    if (cause instanceof PagestreamError) throw cause
    throw new PagestreamError('engine-failed', `asking the text model: ${reasonOf(cause)}`, { cause })
  }
}

async function ask({ prompt, maxTokens, schema }: TextQuestion, { llama, model, package: { LlamaChatSession } }: Loaded): Promise<Answer> {
  const startedAt = performance.now()
  const cells = prompt.length > longestPrompt ? Number.POSITIVE_INFINITY : model.tokenize(prompt).length + templateTokens + maxTokens
  if (cells > Math.min(model.trainContextSize, mostCells)) {
    throw new PagestreamError('picture-refused', 'asking the text model: prompt and answer are longer than its context')
  }
  const grammar = schema && (await llama.createGrammarForJsonSchema(schema))
  const context = await model.createContext({ contextSize: cells, sequences: 1 })
  try {
    const contextSequence = context.getSequence()
    const session = new LlamaChatSession({ contextSequence, systemPrompt: '' })
    let firstTokenMs: number | undefined
    const { responseText, stopReason } = await session.promptWithMeta(prompt, {
      ...(grammar && { grammar }),
      ...{ temperature: 0, maxTokens, budgets: { thoughtTokens: 0 } },
      onToken() {
        firstTokenMs ??= performance.now() - startedAt
      },
    })
    const { usedInputTokens: promptTokens, usedOutputTokens: outputTokens } = contextSequence.tokenMeter
    const totalMs = performance.now() - startedAt
    const finish = stopReason === 'maxTokens' ? 'length' : 'stop'
    return { text: responseText, finish, promptTokens, outputTokens, firstTokenMs: firstTokenMs ?? totalMs, totalMs }
  } finally {
    await context.dispose()
  }
}
