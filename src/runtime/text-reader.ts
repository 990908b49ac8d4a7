import type { TextRegion } from '../schema/page.ts'
import type { Picture } from './document-reader.ts'

export interface FoundText {
  /** In fractions of the picture. */
  readonly regions: readonly TextRegion[]
  /** The highest probability of the map: below 0.3 everywhere means surely empty. */
  readonly bestProbability: number
}

/** Finds writing in a picture. */
export interface TextFinder {
  readonly model: string
  /** `longSidePx`: the picture is brought to this long side before it is looked at (640 to gate, 960 and more to read). */
  find(picture: Picture, options: { longSidePx: number }, signal?: AbortSignal): Promise<FoundText>
}

export interface LineText {
  readonly text: string
  /** Mean of the kept steps' probabilities, 0 where nothing was read. */
  readonly confidence: number
  /** True when the line was read turned by 180 degrees because that read better. */
  readonly turned: boolean
}

/** Reads straightened lines. Results stand in the order of `regions`. */
export interface LineReader {
  readonly model: string
  read(picture: Picture, regions: readonly TextRegion[], signal?: AbortSignal): Promise<LineText[]>
}
