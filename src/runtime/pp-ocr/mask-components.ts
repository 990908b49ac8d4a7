/** A connected piece of a mask: for each of its rows the ends of its runs, as x0, x1, y triples (pixel centres, inclusive). */
export interface MaskComponent {
  readonly runs: readonly number[]
  readonly pixels: number
}

/**
 * The 8-connected pieces of `map > threshold`, largest first, at most `limit`.
 * Works on runs of pixels in rows, joined to the runs of the row above by union-find.
 */
export function maskComponents(map: Float32Array, width: number, height: number, threshold: number, limit: number): MaskComponent[] {
  const runs: number[] = []
  const parent: number[] = []
  let above = 0
  let aboveEnd = 0
  for (let y = 0; y < height; y++) {
    const rowStart = parent.length
    for (let x = 0, row = y * width; x < width; x++) {
      if (!((map[row + x] as number) > threshold)) continue
      const from = x
      while (x + 1 < width && (map[row + x + 1] as number) > threshold) x++
      const run = parent.length
      runs.push(from, x, y)
      parent.push(run)
      while (above < aboveEnd && (runs[above * 3 + 1] as number) < from - 1) above++
      for (let other = above; other < aboveEnd && (runs[other * 3] as number) <= x + 1; other++) join(parent, other, run)
    }
    above = rowStart
    aboveEnd = parent.length
  }
  return collect(runs, parent)
    .sort((a, b) => b.pixels - a.pixels)
    .slice(0, limit)
}

function root(parent: number[], run: number): number {
  let at = run
  while (parent[at] !== at) {
    const next = parent[at] as number
    parent[at] = parent[next] as number
    at = next
  }
  return at
}

function join(parent: number[], a: number, b: number): void {
  const rootA = root(parent, a)
  const rootB = root(parent, b)
  if (rootA !== rootB) parent[Math.max(rootA, rootB)] = Math.min(rootA, rootB)
}

function collect(runs: readonly number[], parent: number[]): MaskComponent[] {
  const pieces = new Map<number, { runs: number[]; pixels: number }>()
  for (let run = 0; run < parent.length; run++) {
    const key = root(parent, run)
    let piece = pieces.get(key)
    if (!piece) {
      piece = { runs: [], pixels: 0 }
      pieces.set(key, piece)
    }
    const [from, to, y] = [runs[run * 3] as number, runs[run * 3 + 1] as number, runs[run * 3 + 2] as number]
    piece.runs.push(from, to, y)
    piece.pixels += to - from + 1
  }
  return [...pieces.values()]
}
