/** Pixels of a side of a tile, and of the tokens that it becomes. */
const tileSide = 640
const tileTokens = 10
const mostTiles = 32
/** The whole page, seen at 1024 x 1024: 16 rows of 16 tokens, each with its end, and what parts it from the tiles. */
const wholeTokens = 273

/** Tiles that a page is stretched to and cut into. */
export interface TileGrid {
  readonly columns: number
  readonly rows: number
}

const grids: readonly TileGrid[] = Array.from({ length: mostTiles }, (_, i) => i + 1)
  .flatMap((columns) => Array.from({ length: Math.floor(mostTiles / columns) }, (_, i) => ({ columns, rows: i + 1 })))
  .filter(({ columns, rows }) => columns * rows >= 2)
  .sort((a, b) => a.columns * a.rows - b.columns * b.rows)

/**
 * How Unlimited-OCR cuts a single page, by its size in pixels: the grid whose shape is nearest, of equal ones the larger if the page has half its
 * pixels. Undefined for pictures that are seen whole alone.
 */
export function tileGrid(width: number, height: number): TileGrid | undefined {
  if (width <= tileSide && height <= tileSide) return undefined
  let best: { grid: TileGrid; off: number } | undefined
  for (const grid of grids) {
    const off = Math.abs(width / height - grid.columns / grid.rows)
    const isFilled = width * height > 0.5 * tileSide * tileSide * grid.columns * grid.rows
    if (best === undefined || off < best.off || (off === best.off && isFilled)) best = { grid, off }
  }
  return best?.grid
}

/** Tokens of the prompt that a picture of a single page becomes. */
export function visionTokens(width: number, height: number): number {
  const grid = tileGrid(width, height)
  return grid === undefined ? wholeTokens : wholeTokens + tileTokens * grid.rows * (tileTokens * grid.columns + 1)
}
