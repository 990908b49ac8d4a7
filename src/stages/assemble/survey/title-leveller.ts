/** A heading of a document, as it is told to whom levels are asked of. */
export interface HeadingToLevel {
  readonly text: string
  /** Points; may be a guess. */
  readonly sizePt: number
  /** From 1. */
  readonly pageNumber: number
}

/**
 * Gives the headings of a whole document, two or more in reading order, their levels: one for each, 1 for the outermost to 4; or `undefined` where it cannot tell,
 * which is also what an abort, a silent engine and nonsense come to: never rejects, and ends in a bounded time.
 */
export interface TitleLeveller {
  levels(headings: readonly HeadingToLevel[], signal: AbortSignal): Promise<readonly number[] | undefined>
}
