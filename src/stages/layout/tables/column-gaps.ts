import { type Piece, piecesOf, type TextLine } from './text-lines.ts'

/** A white strip between two columns, in points; of no width where a ruling line parts them. */
export interface Strip {
  readonly from: number
  readonly to: number
}

export const middleOf = (strip: Strip): number => (strip.from + strip.to) / 2

interface LinePieces {
  readonly line: TextLine
  readonly pieces: readonly Piece[]
}

/**
 * The white strips that part the columns of some lines. A strip is white in (nearly) all full lines and a wide gap in
 * many of them. Lines with fewer pieces than most (headings over several columns, notes) have no say.
 *
 * @param ruled x of upright ruling lines between columns.
 */
export function columnStrips(lines: readonly TextLine[], ruled: readonly number[]): Strip[] {
  const all: LinePieces[] = lines.map((line) => ({ line, pieces: piecesOf(line) }))
  const full = fullLines(all)
  const strips = full.length > 0 ? sparseColumns(whiteStrips(full), all) : []
  return withoutEmptyColumns(addRuled(strips, ruled, all), all)
}

/** Lines that have about as many pieces as most lines with several. */
function fullLines(lines: readonly LinePieces[]): LinePieces[] {
  const counts = lines
    .map((l) => l.pieces.length)
    .filter((n) => n >= 2)
    .sort((a, b) => a - b)
  const usual = counts[Math.floor((counts.length - 1) * 0.8)] ?? 0
  const least = Math.max(2, Math.ceil(usual * 0.7))
  return lines.filter((l) => l.pieces.length >= least)
}

interface Turn {
  readonly x: number
  readonly covered: -1 | 0 | 1
  readonly gaps: -1 | 0 | 1
}

/** Sweeps over x and keeps what no word covers and enough lines leave wide. */
function whiteStrips(full: readonly LinePieces[]): Strip[] {
  const turns: Turn[] = []
  for (const { line, pieces } of full) {
    for (const [x0, x1] of coveredRuns(line)) turns.push({ x: x0, covered: 1, gaps: 0 }, { x: x1, covered: -1, gaps: 0 })
    for (let i = 1; i < pieces.length; i++) {
      turns.push({ x: pieces[i - 1]?.x1 ?? 0, covered: 0, gaps: 1 }, { x: pieces[i]?.x0 ?? 0, covered: 0, gaps: -1 })
    }
  }
  turns.sort((a, b) => a.x - b.x || a.covered - b.covered)
  // One long word in twenty lines does not make two columns one.
  const strays = Math.floor(full.length * 0.05)
  const enough = Math.max(Math.min(2, full.length), Math.ceil(full.length * 0.3))
  const strips: { from: number; to: number }[] = []
  let [covered, gaps] = [0, 0]
  for (let i = 0; i + 1 < turns.length; i++) {
    const turn = turns[i]
    const next = turns[i + 1]
    if (!turn || !next) break
    covered += turn.covered
    gaps += turn.gaps
    if (covered > strays || gaps < enough || next.x <= turn.x) continue
    const last = strips.at(-1)
    if (last && turn.x - last.to < 0.01) last.to = next.x
    else strips.push({ from: turn.x, to: next.x })
  }
  const em = median(full.map((l) => l.line.sizePt))
  return strips.flatMap((strip) => splitAtContent(strip, full)).filter((strip) => strip.to - strip.from >= 0.25 * em)
}

/** Stretches of a line with no more white in them than an ordinary space; wider spaces tell neither way. */
function coveredRuns(line: TextLine): [number, number][] {
  const runs: [number, number][] = []
  for (const bit of line.bits) {
    const last = runs.at(-1)
    if (last && bit.box[0] - last[1] < 0.7 * bit.spaceTo) last[1] = Math.max(last[1], bit.box[2])
    else runs.push([bit.box[0], bit.box[2]])
  }
  return runs
}

/** A column with few entries lies within the tolerance for strays: its entries stand free in the strip. */
function splitAtContent(strip: Strip, lines: readonly LinePieces[]): Strip[] {
  let from = Infinity
  let to = -Infinity
  for (const { pieces } of lines) {
    for (const piece of pieces) {
      if (piece.x0 < strip.from + 0.5 || piece.x1 > strip.to - 0.5) continue
      from = Math.min(from, piece.x0)
      to = Math.max(to, piece.x1)
    }
  }
  return from < to
    ? [
        { from: strip.from, to: from },
        { from: to, to: strip.to },
      ]
    : [strip]
}

/** Entries over each other that at least two lines without a say place in the middle of a strip are a column of its own. */
function sparseColumns(strips: readonly Strip[], lines: readonly LinePieces[]): Strip[] {
  return strips.flatMap((strip) => {
    const entries = lines.flatMap(({ line, pieces }) => {
      const free = 0.5 * line.sizePt
      return pieces.length > 1 ? pieces.filter((p) => p.x0 >= strip.from + free && p.x1 <= strip.to - free) : []
    })
    const from = Math.max(...entries.map((p) => p.x0))
    const to = Math.min(...entries.map((p) => p.x1))
    if (entries.length < 2 || from >= to) return [strip]
    return splitAtContent(
      strip,
      lines.filter(({ pieces }) => pieces.some((p) => entries.includes(p))),
    )
  })
}

/** Between ruling lines white parts a column only where many of its lines have something on both sides. */
function addRuled(strips: readonly Strip[], ruled: readonly number[], lines: readonly LinePieces[]): Strip[] {
  if (ruled.length === 0) return [...strips]
  const near = 3
  const kept = strips.filter((strip) => {
    if (ruled.some((x) => x > strip.from - near && x < strip.to + near)) return false
    const left = Math.max(-Infinity, ...ruled.filter((x) => x < strip.from))
    const right = Math.min(Infinity, ...ruled.filter((x) => x > strip.to))
    let [both, any] = [0, 0]
    for (const { pieces } of lines) {
      const before = pieces.some((p) => p.x0 >= left - 1 && p.x1 <= strip.from + 1)
      const after = pieces.some((p) => p.x0 >= strip.to - 1 && p.x1 <= right + 1)
      if (before && after) both++
      if (before || after) any++
    }
    return both >= 2 && both >= 0.4 * any
  })
  return [...kept, ...ruled.map((x) => ({ from: x, to: x }))].sort((a, b) => a.from - b.from)
}

/** Drops strips until every column between them holds a piece. */
function withoutEmptyColumns(strips: readonly Strip[], lines: readonly LinePieces[]): Strip[] {
  const kept: Strip[] = []
  let left = -Infinity
  for (const strip of strips) {
    const border = middleOf(strip)
    const filled = lines.some(({ pieces }) => pieces.some((p) => (p.x0 + p.x1) / 2 > left && (p.x0 + p.x1) / 2 < border))
    if (!filled) continue
    kept.push(strip)
    left = border
  }
  const last = kept.at(-1)
  if (last && !lines.some(({ pieces }) => pieces.some((p) => (p.x0 + p.x1) / 2 > middleOf(last)))) kept.pop()
  return kept
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
