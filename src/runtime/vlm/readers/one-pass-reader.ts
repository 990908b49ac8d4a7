import { PagestreamError } from '../../../schema/failure.ts'
import type { Box } from '../../../schema/geometry.ts'
import type { Picture } from '../../document-reader.ts'
import { cropPicture } from '../../documents/pictures/crop-picture.ts'
import type { OnePassFamily, OnePassParser } from '../family.ts'
import type { FoundBlock, PageBlockReading, PagePicture, ReadOptions, VlmFamily, VlmPageReader } from '../page-reader.ts'
import { joinParts } from '../parts/join-parts.ts'
import { partsOfPage } from '../parts/parts-of-page.ts'
import { partsNeeded } from '../parts/split-page.ts'
import { encodeLayout } from '../pictures/encode-layout.ts'
import { probePage } from '../pictures/probe-page.ts'
import { askGuarded, orKept, secondTry } from './ask-guarded.ts'
import { type Asker, priorities } from './asker.ts'
import { fewDropped } from './few-dropped.ts'
import { heardAsker } from './heard-asker.ts'
import { PageCosts } from './page-costs.ts'
import { refuseModel, succeeds } from './probe.ts'
import { asOfQuestion, isOfQuestion, toPageFailure } from './question-failure.ts'

export interface OnePassReaderOptions {
  readonly family: OnePassFamily
  readonly asker: Asker
  /** Whether the engine, once started, forgets what it wrote long ago, as the model was taught. Where it does not, long answers lose their place. */
  readonly hasWindow: () => boolean
}

interface Reading {
  readonly blocks: readonly FoundBlock[]
  readonly finish: 'stop' | 'length' | 'stopped'
  readonly outputTokens: number
  /** Pieces that are no block. */
  readonly dropped: number
  readonly isEmpty: boolean
}

/** Reads a page while it looks at it: Unlimited-OCR. */
export class OnePassReader implements VlmPageReader {
  readonly family: VlmFamily
  readonly onePass = true
  readonly #options: OnePassReaderOptions
  readonly #costs = new PageCosts()
  /** Answers so far: that there are others tells a question that fails from an engine that does. */
  #answers = 0

  constructor(options: OnePassReaderOptions) {
    this.family = options.family.family
    this.#options = options
  }

  get model(): string {
    return this.#options.asker.model
  }

  get pagesAtOnce(): number {
    const { slots } = this.#options.asker
    return slots + Math.ceil(slots / 8) + 1
  }

  async start(signal?: AbortSignal): Promise<void> {
    await this.#options.asker.start(signal)
    await this.#readKnownPage(signal)
  }

  answers(signal?: AbortSignal): Promise<boolean> {
    return succeeds(this.#readKnownPage(signal))
  }

  costMs(): number {
    return this.#costs.meanMs
  }

  async layout(page: PagePicture, { signal, onBlock, onAnswer }: ReadOptions): Promise<FoundBlock[]> {
    const ticket = await this.#options.asker.room(1, signal)
    const asker = heardAsker(this.#options.asker, onAnswer)
    const startedAt = performance.now()
    const picture = await page().finally(() => ticket.expect(0))
    const answersBefore = this.#answers
    const reading = await this.#readSoundly(asker, picture, signal, onBlock).catch((error: unknown) => {
      throw asOfQuestion(toPageFailure(error), this.#answers > answersBefore)
    })
    this.#answers++
    const parts = this.#options.hasWindow() ? 1 : partsNeeded(reading)
    const blocks = parts > 1 ? await this.#readInParts(asker, picture, reading, parts, signal) : reading.blocks
    this.#costs.add(performance.now() - startedAt)
    return [...blocks]
  }

  /** What was read is told; nothing is asked. */
  async read(_page: PagePicture, blocks: readonly FoundBlock[]): Promise<PageBlockReading[]> {
    return blocks.map(({ box, content }, index) => ({ of: [index], box, content }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#options.asker[Symbol.asyncDispose]()
  }

  async #readKnownPage(signal: AbortSignal | undefined): Promise<void> {
    const { family, asker } = this.#options
    const probe = probePage()
    const ask = { ...family.pageAsk, picture: await encodeLayout(probe, family.sentSize(probe.width, probe.height)) }
    const { text } = await askGuarded(asker, ask, { priority: priorities.layout, guard: { lines: true, boxes: true }, signal })
    if (parsed(family, text).blocks.length === 0) throw refuseModel(this.family, text)
    asker.tryOutWith(ask)
  }

  /** Once more with other dice where an answer is empty, has words and no block, ran in circles from the start, or has much that is no block. */
  async #readSoundly(asker: Pick<Asker, 'ask'>, picture: Picture, signal: AbortSignal | undefined, onBlock: ReadOptions['onBlock']): Promise<Reading> {
    const first = await this.#readOnce(asker, picture, false, signal, onBlock)
    if (isSound(first)) return first
    const again = this.#readOnce(asker, picture, true, signal, onBlock)
    const second = await (first.blocks.length > 0 ? orKept(again, first) : again)
    const better = isSound(second) || second.blocks.length > first.blocks.length ? second : first
    if (better.blocks.length > 0 || second.isEmpty) return better
    throw new PagestreamError('answer-invalid', 'reading a page: the answer of the model has words and no block, twice')
  }

  async #readOnce(
    asker: Pick<Asker, 'ask'>,
    picture: Picture,
    again: boolean,
    signal: AbortSignal | undefined,
    onBlock: ReadOptions['onBlock'],
  ): Promise<Reading> {
    const { family } = this.#options
    let parser = family.openParser()
    let told: FoundBlock[] = []
    const hear = (blocks: readonly FoundBlock[]) => {
      for (const block of blocks) {
        told.push(block)
        onBlock?.(block, told.length - 1)
      }
    }
    const ask = {
      ...family.pageAsk,
      picture: await encodeLayout(picture, family.sentSize(picture.width, picture.height)),
      ...(again && { decoding: secondTry(family.pageAsk.decoding) }),
    }
    const { text, finish, outputTokens } = await askGuarded(asker, ask, {
      ...{ priority: priorities.layout, guard: { lines: true, boxes: true }, signal },
      listen: (piece) => hear(parser.push(piece)),
      again() {
        parser = family.openParser()
        told = []
      },
    })
    const isEmpty = text.trim() === '' && finish === 'stop'
    if (finish === 'stopped') return { ...parsed(family, text), finish, outputTokens, isEmpty }
    hear(parser.end(finish === 'length'))
    return { ...outcomeOf(parser, told), finish, outputTokens, isEmpty }
  }

  /** The parts one after the other; a page that cannot be divided, or of which a part cannot be read, stays as it was read. */
  async #readInParts(
    asker: Pick<Asker, 'ask'>,
    picture: Picture,
    whole: Reading,
    count: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly FoundBlock[]> {
    const boxes = await partsOfPage(picture, count)
    const parts: { box: Box; blocks: readonly FoundBlock[] }[] = []
    for (const box of boxes.length < 2 ? [] : boxes) {
      const blocks = await this.#readPart(asker, cropPicture(picture, box), signal)
      if (blocks.length === 0) return whole.blocks.map(suspect)
      parts.push({ box, blocks })
    }
    return parts.length === 0 ? whole.blocks.map(suspect) : joinParts(parts)
  }

  /** Nothing where the model makes nothing of it. */
  async #readPart(asker: Pick<Asker, 'ask'>, picture: Picture, signal: AbortSignal | undefined): Promise<readonly FoundBlock[]> {
    const answersBefore = this.#answers
    try {
      const reading = await this.#readSoundly(asker, picture, signal, undefined)
      return partsNeeded(reading) > 1 ? reading.blocks.map(suspect) : reading.blocks
    } catch (error) {
      const failure = toPageFailure(error)
      if (isOfQuestion(failure, this.#answers > answersBefore)) return []
      throw failure
    }
  }
}

/** What ended with blocks, and with hardly anything that is none. */
const isSound = ({ blocks, dropped }: Reading): boolean => blocks.length > 0 && fewDropped(blocks.length, dropped)

/** An answer that was cut where it began to run in circles is read anew up to there. */
function parsed(family: OnePassFamily, text: string): Pick<Reading, 'blocks' | 'dropped'> {
  const parser = family.openParser()
  const blocks = [...parser.push(text), ...parser.end(true)]
  return outcomeOf(parser, blocks)
}

/** Where words were lost the last block says so. */
function outcomeOf({ dropped, lostText }: OnePassParser, blocks: readonly FoundBlock[]): Pick<Reading, 'blocks' | 'dropped'> {
  const last = blocks.at(-1)
  return { blocks: last && lostText ? [...blocks.slice(0, -1), { ...last, flags: [...last.flags, 'lost-text'] }] : blocks, dropped }
}

const suspect = (block: FoundBlock): FoundBlock => ({ ...block, flags: [...new Set([...block.flags, 'low-confidence' as const])] })
