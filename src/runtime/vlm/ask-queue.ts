import { type FailureCode, PagestreamError } from '../../schema/failure.ts'
import { noTracer, type Tracer } from '../../telemetry/tracing/tracer.ts'
import { VlmCounters } from '../../telemetry/vlm-counters.ts'
import { AnswerMeans, type Expected } from './asking/answer-means.ts'
import { traced } from './asking/ask-trace.ts'
import { type Clock, systemClock } from './asking/clock.ts'
import { LoadWatch } from './asking/load-watch.ts'
import { Outage } from './asking/outage.ts'
import { PageRoom, type PageTicket } from './asking/page-room.ts'
import { QueuedAsk, type QueuedAskOptions } from './asking/queued-ask.ts'
import { isTriedAgain, retryPauseMs } from './asking/retries.ts'
import { SlotLimit } from './asking/slot-limit.ts'
import { SlotUse } from './asking/slot-use.ts'
import { Suspects } from './asking/suspects.ts'
import { WaitingAsks } from './asking/waiting-asks.ts'
import type { Answer, Ask, VlmEngine } from './engine.ts'
import type { EngineEvents } from './engine-events.ts'

/** What an engine fails with that has taken on too much. */
const overloads: ReadonlySet<FailureCode> = new Set(['engine-busy', 'engine-timeout', 'engine-memory'])
/** Beyond all that windows of pages can ask at once. */
const mostWaiting = 65_536

export interface AskQueueOptions {
  readonly counters?: VlmCounters
  /** How long an engine may be away before questions fail with `engine-unreachable`; those that come later wait for the next try alone. */
  readonly patienceMs?: number
  /** Hears what a person should know: that the engine is away, and that it is back. */
  readonly onNotice?: EngineEvents['onNotice']
  /** Tokens of the prompt that a picture of this size becomes. */
  readonly imageTokens?: (width: number, height: number) => number
  /** Tokens, of prompts and answers as expected, that may be under way at once. */
  readonly tokenBudget?: number
  readonly clock?: Clock
  /** Hears of each question that is sent. */
  readonly tracer?: Tracer
  readonly random?: () => number
}

/**
 * Stands in front of an engine: keeps its slots busy and no fuller than it can bear, asks in order of priority, tries again what is worth it, and stops
 * asking an engine that is away until it is back. Each answer frees its slot for the next question at once, so a long one holds nothing but its own slot.
 * A question over which the engine is lost again and again is asked alone, and fails with `answer-invalid` when it is plain that it is to blame.
 */
export class AskQueue implements AsyncDisposable {
  readonly counters: VlmCounters
  readonly #engine: VlmEngine
  readonly #options: AskQueueOptions
  readonly #clock: Clock
  readonly #random: () => number
  readonly #tracer: Tracer
  readonly #waiting = new WaitingAsks<QueuedAsk>()
  /** Questions that have failed, until they wait again. */
  readonly #pausing = new Map<QueuedAsk, () => void>()
  readonly #limit = new SlotLimit()
  readonly #outage: Outage
  readonly #means = new AnswerMeans()
  readonly #room: PageRoom
  readonly #use: SlotUse
  /** The one question that is asked of an engine that is away, until something of its answer is heard. */
  #trying: QueuedAsk | 'known' | undefined
  #isClosed = false
  readonly #load: LoadWatch
  readonly #suspects = new Suspects()
  readonly #stopping = new AbortController()
  /** A question of which is known that the engine answers it. */
  #known: Ask | undefined
  #isAskingAlone = false
  /** So far: what it was asked before it was lost is then known not to be what an outage is about. */
  #answers = 0
  #order = 0
  #stopWake: (() => void) | undefined

  constructor(engine: VlmEngine, options: AskQueueOptions = {}) {
    this.#engine = engine
    this.#options = options
    this.counters = options.counters ?? new VlmCounters()
    this.#clock = options.clock ?? systemClock
    this.#random = options.random ?? Math.random
    this.#tracer = options.tracer ?? noTracer
    this.#outage = new Outage(this.#random, options.patienceMs)
    this.#room = new PageRoom(this.#clock, () => this.#pump())
    this.#use = new SlotUse(this.counters, this.#clock)
    this.#load = new LoadWatch({
      ...{ engine, clock: this.#clock, questions: () => this.#use.questions },
      told: (load, mine) => {
        if (load !== undefined) this.#limit.told(load, mine, engine.slots)
        this.#pump()
      },
    })
  }

  /** Asks when it is its turn. Rejects as `VlmEngine.ask`, once trying again is of no use. */
  ask(ask: Ask, options: QueuedAskOptions): Promise<Answer> {
    const queued = new QueuedAsk(ask, { ...options, traceparent: this.#tracer.current() }, this.#order++, this.#clock.now())
    if (queued.isGivenUp || this.#isClosed) queued.cancel()
    else if (this.#waiting.size >= mostWaiting) queued.settle(new PagestreamError('engine-busy', `asking the engine: ${mostWaiting} questions wait already`))
    else {
      queued.onGivenUp(() => this.#cancel(queued))
      this.#waiting.add(queued)
      this.#pump()
    }
    return queued.answer
  }

  /**
   * Resolves when another page should be prepared: its questions, as many as can be told, will find slots soon. Callers are served in turn. Rejects
   * with `cancelled`.
   */
  room(questions: number, signal?: AbortSignal): Promise<PageTicket> {
    const letIn = this.#room.wait(questions, signal)
    this.#pump()
    return letIn
  }

  /** What a question of this task is going to take, from those that were answered. */
  expect(ask: Pick<Ask, 'task' | 'maxTokens'>): Expected {
    return this.#means.expect(ask)
  }

  /** What to ask an engine that was lost, to find out whether it is back, rather than what it may break at. */
  tryOutWith(ask: Ask): void {
    this.#known = ask
  }

  /** What waits is given up; what is under way ends by its own signal, or with the engine, which is not ended here: others may use it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    for (const queued of [...this.#waiting.takeAll(() => true), ...this.#pausing.keys()]) this.#cancel(queued)
    this.#stopping.abort()
    this.#stopWake?.()
    this.#load[Symbol.dispose]()
    this.#room[Symbol.dispose]()
  }

  #cancel(queued: QueuedAsk): void {
    this.#waiting.remove(queued)
    this.#pausing.get(queued)?.()
    this.#pausing.delete(queued)
    queued.cancel()
    this.#show()
  }

  /** Sends what may be sent, lets in pages for which there is room, and arranges to be called again. */
  #pump(): void {
    if (this.#isClosed) {
      this.#show()
      return
    }
    if (this.#outage.since === undefined) this.#fillSlots()
    else this.#tryOut()
    this.#wakeForOutage()
    this.#letIn()
    this.#show()
    this.#tellOutage()
    this.#load.watch()
  }

  #tellOutage(): void {
    const news = this.#outage.news(this.#clock.now())
    if (news === undefined) return
    this.counters.isAway = news === 'away'
    if (news === 'away') this.#options.onNotice?.('the engine does not answer; questions wait until it is back (engine-unreachable)', 'warn')
    else this.#options.onNotice?.('the engine is back')
  }

  #fillSlots(): void {
    while (this.#use.questions < this.#allowed() && !this.#isAskingAlone) {
      const queued = this.#waiting.take((each) => this.#fits(each))
      if (queued === undefined) break
      void this.#send(queued)
    }
  }

  /** Of an engine that is away no more is wanted than the question of one page, to find out when it is back. */
  #letIn(): void {
    const slots = this.#outage.since === undefined ? this.#allowed() : -1
    this.#room.letIn(this.#use.questions + this.#waiting.size + this.#pausing.size, slots)
  }

  /** One question is the try whether the engine is back. Those that are under way since before may still succeed. */
  #tryOut(): void {
    if (this.#trying !== undefined || this.#clock.now() < this.#outage.nextTryAt) return
    const queued = this.#waiting.leastTried()
    if (queued === undefined) return
    if (this.#known !== undefined && (queued.tries > 0 || this.#suspects.isSuspect(queued.ask))) {
      this.#trying = 'known'
      void this.#askKnown(this.#known)
      return
    }
    this.#trying = queued
    this.#waiting.remove(queued)
    void this.#send(queued)
  }

  /** An engine that answers is back, however long the rest of the answer takes. */
  #heard(queued: QueuedAsk): void {
    if (this.#trying !== queued) return
    this.#trying = undefined
    this.#outage.ended()
    this.#pump()
  }

  /** All that wait were sent before, and one of them may be what the engine breaks at. */
  async #askKnown(known: Ask): Promise<void> {
    const code = await this.#engine.ask(known, { signal: this.#stopping.signal }).then(() => undefined, codeOf)
    this.#trying = undefined
    if (this.#isClosed) return
    if (code === 'engine-unreachable') this.#outage.failed(this.#clock.now())
    else this.#outage.ended()
    if (code === undefined) this.#answers += 1
    this.#pump()
  }

  #allowed(): number {
    return this.#limit.of(this.#engine.slots)
  }

  #show(): void {
    this.#use.show(this.#engine.slots, this.#allowed(), this.#waiting.size + this.#pausing.size)
  }

  #tokensOf({ ask }: QueuedAsk): number {
    const { promptTokens, outputTokens } = this.#means.expect(ask)
    return promptTokens + outputTokens
  }

  #fits(queued: QueuedAsk): boolean {
    if (this.#suspects.isToBeAlone(queued.ask)) return this.#use.questions === 0
    const { tokenBudget } = this.#options
    return tokenBudget === undefined || this.#use.questions === 0 || this.#use.tokens + this.#tokensOf(queued) <= tokenBudget
  }

  async #send(queued: QueuedAsk): Promise<void> {
    const tokens = this.#tokensOf(queued)
    this.#use.begin(tokens)
    this.#isAskingAlone = this.#suspects.isToBeAlone(queued.ask)
    const outcome = await this.#outcomeOf(queued)
    this.#use.end(tokens)
    this.#isAskingAlone = false
    const isTryOut = this.#trying === queued
    if (isTryOut) this.#trying = undefined
    if (!(outcome instanceof Error)) this.#answered(queued, outcome)
    else if (this.#isClosed) queued.cancel()
    else this.#failed(queued, outcome, isTryOut)
    this.#pump()
  }

  async #outcomeOf(queued: QueuedAsk): Promise<Answer | Error> {
    try {
      const send = () =>
        this.#engine.ask(
          queued.ask,
          queued.send(() => this.#heard(queued)),
        )
      return await traced(this.#tracer, this.#engine, queued, send)
    } catch (error) {
      return error instanceof Error ? error : new Error('it was rejected with no error')
    }
  }

  #answered(queued: QueuedAsk, answer: Answer): void {
    this.#outage.ended()
    this.#answers += 1
    this.#suspects.cleared(queued.ask)
    this.#limit.answered(this.#engine.slots)
    this.#means.learn(queued.ask, answer)
    this.#use.answered(answer, this.#imageTokens(queued.ask))
    queued.settle({ ...answer, tries: queued.tries })
  }

  #imageTokens({ picture }: Ask): number {
    return (picture && this.#options.imageTokens?.(picture.width, picture.height)) ?? 0
  }

  #failed(queued: QueuedAsk, error: Error, isTryOut: boolean): void {
    const code = codeOf(error)
    if (code === 'engine-unreachable') this.#lost(queued, isTryOut)
    // Any other word from it says that it is there.
    else if (code !== 'cancelled') this.#outage.ended()
    if (overloads.has(code)) this.#limit.overloaded(this.#engine.slots, this.#clock.now())
    if (this.#suspects.isToBlame(queued.ask)) this.#blame(queued)
    else if (this.#isTriedAgain(queued, error, isTryOut)) this.#again(queued, code, isTryOut)
    else this.#giveUp(queued, error, code)
  }

  /** An engine that was away before says nothing about the question that found it so. */
  #lost({ ask }: QueuedAsk, isTryOut: boolean): void {
    this.#outage.failed(this.#clock.now())
    if (!isTryOut) this.#suspects.lost(ask, this.#answers)
  }

  #blame(queued: QueuedAsk): void {
    this.#suspects.cleared(queued.ask)
    const words = 'asking the engine: the connection is lost over this question, again and again, and other questions are answered'
    this.#giveUp(queued, new PagestreamError('answer-invalid', words), 'answer-invalid')
  }

  #isTriedAgain({ failures, mayBeAgain }: QueuedAsk, error: Error, isTryOut: boolean): boolean {
    if (!(error instanceof PagestreamError) || !mayBeAgain) return false
    return (isTryOut && error.code === 'engine-unreachable') || isTriedAgain(error, failures)
  }

  #again(queued: QueuedAsk, code: FailureCode, isTryOut: boolean): void {
    this.counters.retries += 1
    if (!isTryOut) queued.failures += 1
    if (code !== 'engine-unreachable') this.#pause(queued, queued.failures)
    // After outages that it shared with others, each loss is its own: a network that is bad for a while is not to be taken for it.
    else if (this.#suspects.isToBeAlone(queued.ask)) this.#pause(queued, queued.failures - 1)
    // It waits with all others for the engine to come back.
    else this.#waiting.add(queued)
  }

  #pause(queued: QueuedAsk, failures: number): void {
    const goOn = () => {
      this.#pausing.delete(queued)
      this.#waiting.add(queued)
      this.#pump()
    }
    this.#pausing.set(queued, this.#clock.after(retryPauseMs(failures, this.#random), goOn))
  }

  #giveUp(queued: QueuedAsk, error: Error, code: FailureCode): void {
    if (code !== 'cancelled') this.counters.fail(code)
    queued.settle(error)
  }

  /**
   * While the engine is away: fails what has waited long enough, and comes back for the next try or the end of somebody's patience. As long as a try is
   * under way nobody knows that it is away: who is not there fails it soon.
   */
  #wakeForOutage(): void {
    this.#stopWake?.()
    this.#stopWake = undefined
    const { since } = this.#outage
    if (since === undefined || this.#trying !== undefined || this.#waiting.size === 0) return
    const now = this.#clock.now()
    const endOf = ({ arrivedAt }: QueuedAsk) => this.#outage.patienceEnds(arrivedAt)
    const away = new PagestreamError('engine-unreachable', `asking the engine: it has been away for ${Math.round(now - since)} ms`)
    for (const queued of this.#waiting.takeAll((each) => now >= endOf(each))) this.#giveUp(queued, away, away.code)
    const nextAt = Math.min(this.#waiting.least(endOf), this.#outage.nextTryAt)
    if (this.#waiting.size > 0) this.#stopWake = this.#clock.after(Math.max(1, nextAt - now), () => this.#pump())
  }
}

const codeOf = (error: unknown): FailureCode => (error instanceof PagestreamError ? error.code : 'internal')
