/** Type sizes that mean the same, largest first: chains of neighbours that differ by less than the tolerance. */
export class SizeClusters {
  readonly #bounds: readonly { readonly from: number; readonly to: number }[]

  /** `rough` sizes, measured on a picture, need the wider tolerance. */
  constructor(sizes: Iterable<number>, rough: boolean) {
    const tolerance = rough ? 1.12 : 1.035
    const sorted = [...new Set(sizes)].sort((a, b) => b - a)
    const bounds: { from: number; to: number }[] = []
    for (const size of sorted) {
      const last = bounds.at(-1)
      // Measured against the top of the cluster as well, so that a chain cannot run from 20 to 10.
      if (last && last.from / size <= tolerance && last.to / size <= tolerance ** 2) last.from = size
      else bounds.push({ from: size, to: size })
    }
    this.#bounds = bounds
  }

  /** 0 for the largest. A size that was never seen goes to the nearest. */
  rank(size: number): number {
    let best = 0
    let distance = Number.POSITIVE_INFINITY
    this.#bounds.forEach((bound, i) => {
      const d = size > bound.to ? size - bound.to : size < bound.from ? bound.from - size : 0
      if (d < distance) {
        best = i
        distance = d
      }
    })
    return best
  }
}
