import type { PointBox } from '../../../schema/text-layer.ts'

/** White between two words of one line, in points. */
export interface Gap {
  /** Number of the line it stands in. */
  readonly line: number
  /** It stands before this word of the line. */
  readonly before: number
  readonly from: number
  readonly to: number
  readonly y: number
  readonly em: number
}

/** A gap this wide (in em) ends a run of words whatever its neighbours do. */
export const wideGapEm = 1.6
/** Narrower ones may still be the white between two columns. */
export const suspectGapEm = 0.55
/** So many lines in a row must be white at one place before a narrow gap there counts as a gutter. */
const gutterLines = 4

/**
 * Gaps too narrow to tell, that continue through several lines one below the other: the white between narrow columns.
 * The spaces of justified prose do not stand one below the other for long.
 *
 * @param gaps any order.
 */
export function gutterGaps(gaps: readonly Gap[]): Set<Gap> {
  const sorted = [...gaps].sort((a, b) => a.y - b.y)
  const found = new Set<Gap>()
  /** Runs that may still grow downwards. */
  let open: Chain[] = []
  for (const gap of sorted) {
    open = open.filter((chain) => gap.y - chain.y < 4 * gap.em || flush(chain, found))
    let grown = false
    for (const chain of open) {
      const from = Math.max(chain.from, gap.from)
      const to = Math.min(chain.to, gap.to)
      if (to - from < 0.4 * gap.em || chain.line === gap.line) continue
      Object.assign(chain, { from, to, y: gap.y, line: gap.line })
      chain.gaps.push(gap)
      grown = true
      break
    }
    if (!grown && open.length < 64) open.push({ from: gap.from, to: gap.to, y: gap.y, line: gap.line, gaps: [gap] })
  }
  for (const chain of open) flush(chain, found)
  return found
}

interface Chain {
  from: number
  to: number
  y: number
  line: number
  readonly gaps: Gap[]
}

function flush(chain: Chain, found: Set<Gap>): false {
  if (chain.gaps.length >= gutterLines) for (const gap of chain.gaps) found.add(gap)
  return false
}

/** White between two boxes in reading direction, in points; negative when they overlap. */
export const whiteBetween = (a: PointBox, b: PointBox): number => Math.max(b[0] - a[2], a[0] - b[2])
