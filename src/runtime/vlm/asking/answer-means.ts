import type { Answer, Ask } from '../engine.ts'

/** What an answer to a question of some task takes. */
export interface Expected {
  readonly promptTokens: number
  readonly outputTokens: number
  readonly ms: number
}

interface Means {
  count: number
  promptTokens: number
  outputTokens: number
  firstTokenMs: number
}

/** Answers that a mean remembers: it follows a change of documents within some pages. */
const memory = 64
/** Tasks are of a closed list; more than this many are no tasks. */
const mostTasks = 256
/** Before anything is learned: a picture of a page, a tenth of the longest answer, the speed of one stream on a usual GPU. */
const [guessedPromptTokens, guessedShare, guessedFirstTokenMs, guessedMsPerToken] = [1500, 0.1, 300, 5]

const step = (mean: number, value: number, count: number): number => mean + (value - mean) / Math.min(count, memory)

/** Running means of the answers, by task. Answers that were stopped count for what they took. */
export class AnswerMeans {
  readonly #tasks = new Map<string, Means>()
  #msPerToken = guessedMsPerToken
  #speeds = 0

  learn({ task }: Ask, { promptTokens, outputTokens, firstTokenMs, totalMs }: Answer): void {
    const means = this.#tasks.get(task) ?? { count: 0, promptTokens: 0, outputTokens: 0, firstTokenMs: 0 }
    if (means.count === 0 && this.#tasks.size >= mostTasks) return
    this.#tasks.set(task, means)
    means.count += 1
    if (promptTokens > 0) means.promptTokens = step(means.promptTokens || promptTokens, promptTokens, means.count)
    means.outputTokens = step(means.outputTokens, outputTokens, means.count)
    means.firstTokenMs = step(means.firstTokenMs, firstTokenMs, means.count)
    if (outputTokens < 2) return
    this.#speeds += 1
    this.#msPerToken = step(this.#msPerToken, (totalMs - firstTokenMs) / (outputTokens - 1), this.#speeds)
  }

  expect({ task, maxTokens }: Pick<Ask, 'task' | 'maxTokens'>): Expected {
    const means = this.#tasks.get(task)
    const outputTokens = means?.outputTokens ?? maxTokens * guessedShare
    const ms = (means?.firstTokenMs ?? guessedFirstTokenMs) + outputTokens * this.#msPerToken
    return { promptTokens: means?.promptTokens || guessedPromptTokens, outputTokens, ms }
  }
}
