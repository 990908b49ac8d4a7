import type { PagestreamError } from '../../../schema/failure.ts'
import type { PageTicket } from '../asking/page-room.ts'
import type { Answer, Ask } from '../engine.ts'
import type { BlockAnswer, FamilyOptions, PlannedAsk, TwoStepFamily } from '../family.ts'
import type { BlockReadOptions, FoundBlock, PageBlockReading, PagePicture, ReadOptions, VlmFamily, VlmPageReader } from '../page-reader.ts'
import { encodeCrop } from '../pictures/encode-crop.ts'
import { encodeLayout } from '../pictures/encode-layout.ts'
import { probePage } from '../pictures/probe-page.ts'
import { askBlock } from './ask-block.ts'
import { askGuarded } from './ask-guarded.ts'
import { askLayout } from './ask-layout.ts'
import { type Asker, priorities } from './asker.ts'
import { heardAsker } from './heard-asker.ts'
import { PageCosts } from './page-costs.ts'
import { refuseModel, succeeds } from './probe.ts'
import { asOfQuestion, isOfQuestion, toPageFailure } from './question-failure.ts'

export interface TwoStepReaderOptions {
  readonly family: TwoStepFamily
  readonly asker: Asker
  readonly options: FamilyOptions
}

/** Pages that need so few questions that a slot is left over are rare: a third of the slots in pages, and some, keep them busy. */
const slotsAPage = 3
const pagesAhead = 4
/** Questions about the blocks of a page, before any was looked at; then the newest page has this weight in the mean. */
const [firstGuess, newestPage] = [12, 0.1]
/** A page that was looked at comes to be read within this time, or in another process. */
const backWithinMs = 2000
/** Finds the blocks of a page, then reads each of them: MinerU2.5, TeleOCR. */
export class TwoStepReader implements VlmPageReader {
  readonly family: VlmFamily
  readonly onePass = false
  readonly #steps: TwoStepFamily
  readonly #asker: Asker
  readonly #options: FamilyOptions
  readonly #costs = new PageCosts()
  /** Pages that were looked at, until they come to be read; the oldest first. */
  readonly #laidOut: { readonly ticket: PageTicket; readonly until: number }[] = []
  /** Running mean. */
  #questionsAPage = firstGuess
  /** Answers so far: that there are others tells a question that fails from an engine that does. */
  #answers = 0

  constructor({ family, asker, options }: TwoStepReaderOptions) {
    this.family = family.family
    this.#steps = family
    this.#asker = asker
    this.#options = options
  }

  get model(): string {
    return this.#asker.model
  }

  get pagesAtOnce(): number {
    return Math.ceil(this.#asker.slots / slotsAPage) + pagesAhead
  }

  async start(signal?: AbortSignal): Promise<void> {
    await this.#asker.start(signal)
    await this.#readKnownPage(signal)
  }

  answers(signal?: AbortSignal): Promise<boolean> {
    return succeeds(this.#readKnownPage(signal))
  }

  costMs(): number {
    return this.#costs.meanMs
  }

  async layout(page: PagePicture, { signal, onBlock, onAnswer }: ReadOptions): Promise<FoundBlock[]> {
    const ticket = await this.#asker.room(1 + this.#questionsAPage, signal)
    try {
      const picture = await encodeLayout(await page(), this.#steps.layoutSize)
      ticket.expect(this.#questionsAPage)
      const blocks = await this.#look({ ...this.#steps.layoutAsk, picture }, signal, onAnswer)
      for (const [index, block] of blocks.entries()) onBlock?.(block, index)
      this.#expectReading(ticket, blocks)
      return blocks
    } catch (error) {
      ticket.expect(0)
      throw error
    }
  }

  async #look(ask: Ask, signal: AbortSignal | undefined, onAnswer: ReadOptions['onAnswer']): Promise<FoundBlock[]> {
    const answersBefore = this.#answers
    const found = await askLayout(heardAsker(this.#asker, onAnswer), this.#steps, ask, signal).catch((error: unknown) => {
      throw asOfQuestion(toPageFailure(error), this.#answers > answersBefore)
    })
    this.#answers++
    if (found.failure) throw found.failure
    return found.blocks
  }

  /** The page comes back to be read, if this process reads it at all. */
  #expectReading(ticket: PageTicket, blocks: readonly FoundBlock[]): void {
    const questions = [...this.#steps.planAsks(blocks, this.#options)].length
    this.#questionsAPage += (questions - this.#questionsAPage) * newestPage
    ticket.expect(questions, backWithinMs)
    const now = performance.now()
    while ((this.#laidOut[0]?.until ?? now) < now) this.#laidOut.shift()
    this.#laidOut.push({ ticket, until: now + backWithinMs })
  }

  /** Of the page that has waited longest: whichever it is, the sum is right. */
  #takeTicket(): PageTicket | undefined {
    const now = performance.now()
    for (let next = this.#laidOut.shift(); next; next = this.#laidOut.shift()) if (next.until > now) return next.ticket
    return undefined
  }

  async read(page: PagePicture, blocks: readonly FoundBlock[], { signal, onBlock, onAnswer, skip, onCropped }: BlockReadOptions) {
    const startedAt = performance.now()
    const asks = [...this.#steps.planAsks(blocks, this.#options)].filter(([index]) => !skip?.has(index))
    const answers = new Map<number, BlockAnswer>()
    const failures = new Map<number, PagestreamError>()
    const ticket = this.#takeTicket()
    let left = asks.length
    ticket?.expect(left)
    if (asks.length > 0) {
      // Nobody here holds the picture beyond this: of a page whose answers are waited for only what was cut out is kept.
      const crops = await page().then(
        (picture) => asks.map(([, { crop }]) => encodeCrop(picture, crop).finally(() => ticket?.expect(--left))),
        (error: unknown) => {
          ticket?.expect(0)
          throw error
        },
      )
      if (onCropped) void Promise.allSettled(crops).then(onCropped)
      await allOrFirst(
        asks.map(async ([index, ask], i) => {
          const answersBefore = this.#answers
          try {
            const asker = heardAsker(this.#asker, onAnswer && ((usage) => onAnswer(usage, index)))
            const answer = await askBlock(asker, page, ask, await crops[i], signal)
            if (!answer) return
            this.#answers++
            answers.set(index, answer)
            this.#tell(blocks, index, answer, onBlock)
          } catch (error) {
            const failure = toPageFailure(error)
            if (!isOfQuestion(failure, this.#answers > answersBefore)) throw failure
            failures.set(index, failure)
          }
        }),
      )
      this.#costs.add(performance.now() - startedAt)
    }
    return this.#finish(blocks, answers, failures)
  }

  askText(ask: PlannedAsk, signal: AbortSignal): Promise<Answer> {
    return this.#asker.ask(ask, { priority: priorities.read, signal })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#asker[Symbol.asyncDispose]()
  }

  async #readKnownPage(signal: AbortSignal | undefined): Promise<void> {
    const ask = { ...this.#steps.layoutAsk, picture: await encodeLayout(probePage(), this.#steps.layoutSize) }
    const { text } = await askGuarded(this.#asker, ask, { priority: priorities.layout, guard: {}, signal })
    if (!this.#finds(text)) throw refuseModel(this.family, text)
    this.#asker.tryOutWith(ask)
  }

  #finds(answer: string): boolean {
    try {
      return this.#steps.parseLayout(answer).blocks.length > 0
    } catch {
      return false
    }
  }

  /** A first word on a block, as if it stood alone. */
  #tell(blocks: readonly FoundBlock[], index: number, answer: BlockAnswer, onBlock: ReadOptions['onBlock']): void {
    const block = blocks[index]
    if (!onBlock || !block) return
    const [alone] = this.#steps.finishPage([block], new Map([[0, answer]]), this.#options)
    if (alone?.content) onBlock({ ...block, content: alone.content }, index)
  }

  #finish(blocks: readonly FoundBlock[], answers: ReadonlyMap<number, BlockAnswer>, failures: ReadonlyMap<number, PagestreamError>): PageBlockReading[] {
    return this.#steps.finishPage(blocks, answers, this.#options).map((reading) => {
      const failure = reading.content ? undefined : reading.of.map((index) => failures.get(index)).find((each) => each !== undefined)
      return failure ? { ...reading, failure: { code: failure.code, message: failure.message } } : reading
    })
  }
}

/** Waits for all, then rejects with what failed first: nothing of a page runs on behind its back. */
async function allOrFirst(work: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(work)
  for (const each of settled) if (each.status === 'rejected') throw each.reason
}
