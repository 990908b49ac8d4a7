/**
 * Tells which cells of a row were cut by the end of a page. The lists hold one text for each cell of the last row above and of the first row below
 * that is no header; they are equally long. Answers one flag for each cell, true where the lower is the rest of the upper, or `undefined` where it
 * cannot tell, which is also what an abort, a silent engine and nonsense come to: never rejects, and ends in a bounded time.
 */
export interface CellMerger {
  merge(lastRow: readonly string[], firstRow: readonly string[], signal: AbortSignal): Promise<readonly boolean[] | undefined>
}
