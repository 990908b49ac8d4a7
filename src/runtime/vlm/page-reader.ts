import type { BlockKind, Flag } from '../../schema/block-kind.ts'
import type { Box, QuarterTurn } from '../../schema/geometry.ts'
import type { ModelUsage } from '../../schema/model-usage.ts'
import type { BlockContent } from '../../schema/vlm-block.ts'
import type { Picture } from '../document-reader.ts'
import type { Answer } from './engine.ts'
import type { PlannedAsk } from './family.ts'

export const vlmFamilies = ['mineru2.5', 'teleocr', 'unlimited-ocr'] as const
export type VlmFamily = (typeof vlmFamilies)[number]

/** A block as a model found it. Blocks come in reading order. */
export interface FoundBlock {
  /** The family's own name of its kind. */
  readonly type: string
  readonly kind: BlockKind
  /** Fractions of the page. */
  readonly box: Box
  /** The quarter turn, clockwise, that its content is turned by: the crop is turned back by as much. */
  readonly angle: QuarterTurn
  /** x0 y0 x1 y1 …, fractions of the page: what lies outside is not of the block. */
  readonly polygon?: readonly number[]
  /** The text goes on from the block before it. */
  readonly continues?: boolean
  /** Where the model reads while it looks. */
  readonly content?: BlockContent | undefined
  readonly flags: readonly Flag[]
}

/** A block that was read, or that was not asked about. */
export interface PageBlockReading {
  /** Which blocks of the layout it is made of, by index; the first gives it its place in the order. */
  readonly of: readonly number[]
  readonly box: Box
  /** What the rest of the page makes of it, where that is another kind than its own: an item of a list. */
  readonly kind?: BlockKind
  readonly content: BlockContent | undefined
  /** Why it could not be read. */
  readonly failure?: { readonly code: string; readonly message: string }
}

/** What is known of a page's picture. It is asked for when it is needed, and may be asked for several times. */
export type PagePicture = () => Promise<Picture>

export interface ReadOptions {
  readonly signal?: AbortSignal
  /** Hears blocks as they are finished, before the page is: a first word, that the page's result may correct. */
  readonly onBlock?: (block: FoundBlock, index: number) => void
  /** Hears what each answer took, about a block by its index or about the page. */
  readonly onAnswer?: (usage: ModelUsage, index?: number) => void
}

export interface BlockReadOptions extends ReadOptions {
  /** Indices of blocks whose content is known already and that the model is not asked about. */
  readonly skip?: ReadonlySet<number>
  /** Called when all that is sent is made: the picture is not held any more, and asked for again only where something fails. */
  readonly onCropped?: () => void
}

/**
 * Reads pages with a vision-language model. Both steps reject with a `PagestreamError` only where nothing of the page can be had:
 * `engine-*` codes for an engine that is away, `answer-invalid` for a model that does not make sense.
 */
export interface VlmPageReader extends AsyncDisposable {
  readonly family: VlmFamily
  /** For `vlm:<model>`. */
  readonly model: string
  /** Reads while it looks: `layout` gives contents, `read` has nothing to do but for what was cut. */
  readonly onePass: boolean
  /** Pages that keep its slots busy: what a worker should hold in hand, and no more. */
  readonly pagesAtOnce: number
  /** Starts its engines and tries them with a known picture. Rejects with `engine-*`, `model-refused`. */
  start(signal?: AbortSignal): Promise<void>
  /** Whether it reads the known picture now: what fails then is the page's own. Never rejects. */
  answers(signal?: AbortSignal): Promise<boolean>
  /** Expected milliseconds of one slot for a page, learned from those that were read. */
  costMs(): number
  layout(page: PagePicture, options: ReadOptions): Promise<FoundBlock[]>
  /**
   * Reads the blocks of a page. What cannot be read has a `failure`; the page goes on.
   */
  read(page: PagePicture, blocks: readonly FoundBlock[], options: BlockReadOptions): Promise<PageBlockReading[]>
  /** Asks about text alone, where the family was taught such questions. Rejects as `VlmEngine.ask`. */
  askText?(ask: PlannedAsk, signal: AbortSignal): Promise<Answer>
}
