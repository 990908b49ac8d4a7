import type { Box, QuarterTurn } from '../../schema/geometry.ts'
import type { Ask } from './engine.ts'
import type { FoundBlock, PageBlockReading, VlmFamily } from './page-reader.ts'

/** A question whose picture is still to be made. */
export type PlannedAsk = Omit<Ask, 'picture'>

/** How a block is cut out of the page for its question. */
export interface CropRule {
  /** Fractions of the page. */
  readonly box: Box
  /** How its edges become whole pixels. */
  readonly rounding: 'half-even' | 'truncate'
  /** The crop is turned counter-clockwise by so much, after it was cut. */
  readonly angle: QuarterTurn
  /** Fractions of the page, x0 y0 x1 y1 …: what lies outside becomes black. */
  readonly polygon?: readonly number[]
  /** A longer shape is padded with white, in the middle, to this ratio of its sides. */
  readonly mostRatio: number
  /** A shorter side is enlarged to this, in pixels. */
  readonly leastSide: number
  /** More pixels are scaled down to so many. */
  readonly mostPixels?: number
  /** Pictures inside that are painted over with what surrounds them, and named by a token that the answer carries on. Fractions of the page. */
  readonly masks?: readonly { readonly box: Box; readonly token: string }[]
}

export interface BlockAsk {
  readonly ask: PlannedAsk
  readonly crop: CropRule
}

export interface BlockAnswer {
  readonly text: string
  /** As in `Answer`; `stopped`: the host's guard ended it. */
  readonly finish: 'stop' | 'length' | 'stopped'
}

export interface FamilyOptions {
  readonly imageAnalysis: boolean
}

/** A family that looks at the whole page, then reads each block of it. Pure: it sees no picture and asks no engine. */
export interface TwoStepFamily {
  readonly family: VlmFamily
  readonly steps: 'two'
  /** The page is stretched to this for the first question. Pixels. */
  readonly layoutSize: { readonly width: number; readonly height: number }
  readonly layoutAsk: PlannedAsk
  /** Tokens of the prompt that a picture of this size becomes. Pixels. */
  imageTokens(width: number, height: number): number
  /** What each block of the answer begins with. */
  readonly layoutElement: string
  /** `dropped`: pieces that look like blocks and are none. Throws `answer-invalid` where an answer has words and no block at all. */
  parseLayout(answer: string): { readonly blocks: FoundBlock[]; readonly dropped: number }
  /** Which blocks are asked about and how, by index. */
  planAsks(blocks: readonly FoundBlock[], options: FamilyOptions): ReadonlyMap<number, BlockAsk>
  /** What the answers say, cleaned over the whole page. A block that was asked about and has no answer keeps `content` undefined. Never throws. */
  finishPage(blocks: readonly FoundBlock[], answers: ReadonlyMap<number, BlockAnswer>, options: FamilyOptions): PageBlockReading[]
}

/** Reads the answer of a one-pass family while it comes. Never throws, never holds more than one block and a bounded tail. */
export interface OnePassParser {
  /** Blocks that this piece has finished. */
  push(piece: string): FoundBlock[]
  /** The last one. `cut`: the answer did not come to its end, and what is half-written is flagged. */
  end(cut: boolean): FoundBlock[]
  /** So far: what looks like a block and is none, and stretches of words that belong to no box. */
  readonly dropped: number
  /** Words have come that belong to no box, and are in no block. */
  readonly lostText: boolean
}

/** A family that reads while it looks. */
export interface OnePassFamily {
  readonly family: VlmFamily
  readonly steps: 'one'
  readonly pageAsk: PlannedAsk
  /** Tokens of the prompt that a picture of this size becomes. Pixels. */
  imageTokens(width: number, height: number): number
  /** The size at which a page's picture of this size is sent. Pixels. */
  sentSize(width: number, height: number): { readonly width: number; readonly height: number }
  openParser(): OnePassParser
}
