/** What a picture file declares of itself. */
export interface DeclaredPicture {
  readonly widthPx: number
  readonly heightPx: number
  /** Pixels per inch as the file says, if it does. */
  readonly density?: number | undefined
}

const sanest = { low: 72, high: 1200 }
/** What cameras and screen tools write when nobody measured anything. */
const placeholders = [72, 96]
/** A sheet longer than A3 at a placeholder density is a photo, not a sheet. */
const longestSheetInches = 17
/** From so many pixels on the long side a page without a density is taken for a scan: a Letter page at 130 DPI. */
const scanSidePx = 1400
const scanDpi = 200
const screenDpi = 96

/** The resolution at which a picture is taken for a page: what it says if that is sane, else a guess from its size. */
export function pictureDpi({ widthPx, heightPx, density }: DeclaredPicture): number {
  const long = Math.max(widthPx, heightPx)
  if (density !== undefined && density >= sanest.low && density <= sanest.high) {
    const isPlaceholder = placeholders.includes(Math.round(density))
    if (!isPlaceholder || long / density <= longestSheetInches) return density
  }
  return long >= scanSidePx ? scanDpi : screenDpi
}
