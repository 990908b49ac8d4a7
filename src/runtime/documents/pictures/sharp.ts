type Sharp = typeof import('sharp').default

let loaded: Promise<Sharp> | undefined

/**
 * The picture library, loaded when the first picture comes: it costs 80 ms that a text document need not pay.
 * One thread a picture: pictures are worked on side by side already.
 */
export function loadSharp(): Promise<Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1)
    sharp.cache(false)
    return sharp
  })
  return loaded
}
