import { visionTokens } from './vision-tokens.ts'

/** A4 at 200 dots an inch. More pixels change the grid of an A4 page from 6 tiles to 24, three times the tokens, and are not seen better for their price. */
export const longSidePx = 2339
/** Pictures without tiles are seen at 1024 pixels at most, where small print is lost: those are enlarged. */
const noTiles = 640
const mostEnlarged = 3
const enlargedTo = 1280

export interface SentSize {
  readonly width: number
  readonly height: number
  /** Of the prompt. */
  readonly tokens: number
}

/** The size at which a page's picture is sent, in pixels, and what it costs: never over the long side, small ones enlarged up to three times. */
export function sentSize(width: number, height: number): SentSize {
  const long = Math.max(width, height)
  const factor = long <= noTiles ? Math.min(mostEnlarged, enlargedTo / long) : Math.min(1, longSidePx / long)
  const scaled = (side: number): number => Math.max(1, Math.round(side * factor))
  return { width: scaled(width), height: scaled(height), tokens: visionTokens(scaled(width), scaled(height)) }
}
