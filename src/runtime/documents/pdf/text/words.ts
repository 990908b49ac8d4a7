import type { PointBox, StyleRun, Word } from '../../../../schema/text-layer.ts'
import { isCjk, isRightToLeft, type TextRun } from './glyph.ts'
import type { GlyphLine, PlacedGlyph } from './glyph-line.ts'

/** A word before links and what hides it are known. */
export interface DraftWord {
  readonly word: Word
  /** Of its first character. */
  readonly run: TextRun
}

/** Share of the size from which on a gap is a space: TeX shrinks spaces to 0.22, kerning seldom opens more than 0.08. */
const spaceGap = 0.17
/** Less is enough where the engine, which knows the width of the font's space, infers one too. */
const confirmedSpaceGap = 0.1
/** Letters of a spaced-out line lie apart by no more than this; wider they are columns of single signs. */
const widestTracking = 0.6

/** Cuts a line into words. */
export function lineWords(line: GlyphLine): DraftWord[] {
  const rhythm = lineRhythm(line)
  const angle = line.vertical ? 0 : lineAngle(line)
  const words: DraftWord[] = []
  let first = 0
  for (let i = 1; i <= line.glyphs.length; i++) {
    if (i < line.glyphs.length && !parts(line, i, rhythm)) continue
    words.push(draft(line, first, i, words.length > 0 && isSpaced(line, first, rhythm), angle))
    first = i
  }
  return words
}

interface Rhythm {
  /** Usual distance between letters, in sizes: 0 for normal text, more when it is spaced out for effect. */
  readonly tracking: number
  /** Points from letter to letter when each is placed at the same step whatever its width; 0 else. */
  readonly pitch: number
}

const evenText: Rhythm = { tracking: 0, pitch: 0 }

/** How the letters of a line follow one another: what is a gap depends on it. Only lines of letters can tell. */
function lineRhythm(line: GlyphLine): Rhythm {
  const gaps: number[] = []
  const steps: number[] = []
  let letters = 0
  let tight = 0
  let before: PlacedGlyph | undefined
  for (const placed of line.glyphs) {
    if (isLetter(placed.glyph.text)) letters++
    if (before && placed.glyph.before !== 'space') {
      const gap = placed.gap / line.size
      if (gap <= 0.05) tight++
      gaps.push(gap)
      steps.push(Math.abs(placed.from - before.from))
    }
    before = placed
  }
  if (gaps.length < 3 || letters < 0.7 * line.glyphs.length) return evenText
  const pitch = evenPitch(line, steps)
  if (pitch > 0) return { tracking: 0, pitch }
  // In spaced-out text hardly any two letters touch.
  if (tight > 0.15 * gaps.length) return evenText
  gaps.sort((a, b) => a - b)
  const median = gaps[gaps.length >> 1] ?? 0
  const upper = gaps[Math.floor(gaps.length * 0.7)] ?? 0
  return median > 0.06 && median < widestTracking && upper < median + 0.1 ? { tracking: median, pitch: 0 } : evenText
}

function isLetter(text: string): boolean {
  const code = text.charCodeAt(0)
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
  return /^\p{L}/u.test(text)
}

/** Letters of different widths at one step: somebody placed them one by one. In monospaced fonts the widths agree, too, and gaps tell. */
function evenPitch(line: GlyphLine, steps: readonly number[]): number {
  if (steps.length < 6) return 0
  // If most steps are alike, one of three from different places is one of them.
  for (const share of [0.25, 0.5, 0.75]) {
    const step = steps[Math.floor(steps.length * share)] ?? 0
    let even = 0
    for (const other of steps) if (Math.abs(other - step) < 0.02 * step + 0.05) even++
    if (even < 0.7 * steps.length) continue
    let uneven = 0
    for (const { from, to } of line.glyphs) if (Math.abs(to - from - step) > 0.15 * step) uneven++
    return uneven > 0.2 * line.glyphs.length ? step : 0
  }
  return 0
}

/** Whether a word ends before glyph `i`. */
function parts(line: GlyphLine, i: number, rhythm: Rhythm): boolean {
  const here = line.glyphs[i]
  const before = line.glyphs[i - 1]
  if (!here || !before) return true
  // A combining mark stands on the letter before it, wherever its font places it.
  if (here.glyph.before !== 'space' && here.glyph.text.charCodeAt(0) >= 0x300 && /^\p{M}/u.test(here.glyph.text)) return false
  return here.glyph.run.invisible !== before.glyph.run.invisible || isSpaced(line, i, rhythm)
}

/** Whether a space stands before glyph `i`: a space character, or a gap. */
function isSpaced(line: GlyphLine, i: number, { tracking, pitch }: Rhythm): boolean {
  const here = line.glyphs[i]
  const before = line.glyphs[i - 1]
  if (!here || !before) return false
  if (here.glyph.before === 'space') return true
  if (pitch > 0) return Math.abs(here.from - before.from) > 1.35 * pitch
  // Below a tenth of a point places are noise of single precision.
  const size = Math.max(Math.min(here.glyph.size, before.glyph.size), 0.5 * line.size, 0.1)
  const gap = here.gap / size - tracking
  // Ideographs stand in cells with air around them: only a wide gap parts them.
  if (isCjk(here.glyph.text) && isCjk(before.glyph.text)) return gap > 0.5
  return gap > (here.glyph.before === 'guess' && tracking === 0 ? confirmedSpaceGap : spaceGap)
}

const round = (value: number): number => Math.round(value * 100) / 100

function draft(line: GlyphLine, first: number, end: number, spaceBefore: boolean, angle: number): DraftWord {
  let text = ''
  let unmapped = 0
  const edges: number[] = []
  for (let i = first; i < end; i++) {
    const placed = line.glyphs[i]
    if (!placed) continue
    const { glyph } = placed
    const backwards = isRightToLeft(glyph.text)
    const [from, to] = backwards ? [placed.to, placed.from] : [placed.from, placed.to]
    const units = glyph.text.length
    for (let u = 0; u < units; u++) edges.push(round(from + ((to - from) * u) / units))
    text += glyph.text
    if (glyph.unmapped) unmapped++
  }
  const glyphs = line.glyphs
  const head = glyphs[first] as PlacedGlyph
  const tail = glyphs[end - 1] as PlacedGlyph
  edges.push(round(isRightToLeft(tail.glyph.text) ? tail.from : tail.to))
  const { style, runs, raised } = styleRuns(line, first, end)
  const word: { -readonly [K in keyof Word]: Word[K] } = {
    text,
    box: wordBox(line, first, end),
    baseline: round(head.across),
    style,
    angle,
    spaceBefore,
    edges,
  }
  const { run } = head.glyph
  if (line.vertical) word.vertical = true
  if (runs.length > 0) word.runs = runs
  if (raised) word.raised = raised
  if (unmapped > 0) word.unmapped = unmapped
  if (tail.glyph.hyphen && end - first > 1) word.hyphen = true
  if (run.mcid >= 0) word.mcid = run.mcid
  return { word, run }
}

/** Degrees clockwise, 0..360, to a tenth; the noise of matrices is taken for straight. */
export function lineAngle({ ux, uy }: { ux: number; uy: number }): number {
  const degrees = (Math.atan2(uy, ux) * 180) / Math.PI
  const straight = Math.round(degrees / 90) * 90
  const angle = Math.abs(degrees - straight) < 0.25 ? straight : Math.round(degrees * 10) / 10
  return ((angle % 360) + 360) % 360
}

/** Smaller than its line and off its baseline: a superscript or subscript. Small capitals stand on the baseline. */
function raisedBy(line: GlyphLine, { glyph, across }: PlacedGlyph): 'super' | 'sub' | undefined {
  if (line.vertical || glyph.size > 0.86 * line.size) return undefined
  const offset = (across - line.across) / line.size
  if (offset < -0.12) return 'super'
  return offset > 0.06 ? 'sub' : undefined
}

/** Style of the first character on the baseline, and the changes inside the word. */
function styleRuns(line: GlyphLine, first: number, end: number): { style: number; runs: StyleRun[]; raised?: 'super' | 'sub' } {
  const runs: StyleRun[] = []
  let at = 0
  let base: number | undefined
  for (let i = first; i < end; i++) {
    const placed = line.glyphs[i]
    if (!placed) continue
    const raised = raisedBy(line, placed)
    const style = placed.glyph.run.style
    if (raised === undefined) base ??= style
    const last = runs.at(-1)
    if (!last || last.style !== style || last.raised !== raised) runs.push(raised ? { start: at, style, raised } : { start: at, style })
    at += placed.glyph.text.length
  }
  const head = runs[0]
  const whole = head?.raised && runs.every((run) => run.raised === head.raised) ? head.raised : undefined
  const style = base ?? head?.style ?? 0
  if (whole) return { style, runs: runs.slice(1).map(({ start, style: s }) => ({ start, style: s })), raised: whole }
  return { style, runs: head && !head.raised && head.style === style ? runs.slice(1) : runs }
}

/** Around the line-high boxes of its glyphs, as turned. */
function wordBox(line: GlyphLine, first: number, end: number): PointBox {
  const { ux, uy, vertical } = line
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  const add = (x: number, y: number) => {
    if (x < x0) x0 = x
    if (x > x1) x1 = x
    if (y < y0) y0 = y
    if (y > y1) y1 = y
  }
  let [from, to, above, below] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let i = first; i < end; i++) {
    const placed = line.glyphs[i]
    if (!placed) continue
    const { glyph, across } = placed
    from = Math.min(from, placed.from)
    to = Math.max(to, placed.to)
    const half = glyph.size / 2
    above = Math.min(above, vertical ? across - half : across - glyph.run.ascent * glyph.size)
    below = Math.max(below, vertical ? across + half : across + (1 - glyph.run.ascent) * glyph.size)
  }
  if (vertical) {
    add(above, from)
    add(below, to)
  } else {
    for (const along of [from, to]) for (const side of [above, below]) add(along * ux - side * uy, along * uy + side * ux)
  }
  return [round(x0), round(y0), round(x1), round(y1)]
}
