import type { Engine } from '../engine.ts'
import type { PageFrame } from '../page-frame.ts'
import { identity, multiply } from '../page-frame.ts'
import type { DrawnText } from '../page-objects.ts'
import { black, readColor } from '../read-color.ts'
import { character, isBlank } from './character.ts'
import { type FontFacts, fontFacts, type StyleTable } from './font-styles.ts'
import type { Glyph, TextRun } from './glyph.ts'

/** More characters than a page of print can hold are not read on. */
const maxCharacters = 400_000

interface OpenRun {
  readonly run: TextRun
  readonly font: number
  readonly fontSize: number
  readonly size: number
  readonly ux: number
  readonly uy: number
  /** Length of one unit of text space along the baseline. */
  readonly scale: number
  /** The baseline runs along the x axis of user space: the engine's loose box then holds the true width. */
  readonly upright: boolean
}

/**
 * The printed characters of a page in the engine's order: content order, right-to-left runs in logical order.
 * Fonts, colours and matrices are asked once a text object, not once a character.
 */
export function readGlyphs(engine: Engine, textPage: number, frame: PageFrame, texts: ReadonlyMap<number, DrawnText>, styles: StyleTable): Glyph[] {
  const { call, heap, scratch } = engine
  const { FPDFText_GetUnicode, FPDFText_GetTextObject, FPDFText_GetCharOrigin, FPDFText_GetLooseCharBox, FPDFText_HasUnicodeMapError, FPDFText_IsGenerated } =
    call
  const count = Math.min(call.FPDFText_CountChars(textPage), maxCharacters)
  const runs = new RunReader(engine, textPage, frame, texts, styles)
  const { a, b, c, d, e, f } = frame.matrix
  const userUnit = Math.hypot(a, b)
  const glyphs: Glyph[] = []
  const at64 = scratch >> 3
  const at32 = scratch >> 2
  let before: Glyph['before'] = 'nothing'
  for (let i = 0; i < count; i++) {
    const unit = FPDFText_GetUnicode(textPage, i) >>> 0
    const code = isLead(unit) ? joinSurrogates(unit, FPDFText_GetUnicode(textPage, i + 1) >>> 0) : unit
    if (isBlank(code)) {
      if (before !== 'space') before = FPDFText_IsGenerated(textPage, i) === 1 ? 'guess' : 'space'
      continue
    }
    const object = FPDFText_GetTextObject(textPage, i)
    if (object === 0) continue
    const open = runs.at(object, i)
    if (!(open.size > 0)) continue
    const mapError = FPDFText_HasUnicodeMapError(textPage, i) === 1
    FPDFText_GetCharOrigin(textPage, i, scratch, scratch + 8)
    const ox = heap.f64[at64] ?? 0
    const oy = heap.f64[at64 + 1] ?? 0
    let advance = 0
    if (open.upright) {
      FPDFText_GetLooseCharBox(textPage, i, scratch)
      advance = widthFrom(ox, heap.f32[at32] ?? 0, heap.f32[at32 + 2] ?? 0) * userUnit
    } else {
      advance = runs.turnedAdvance(open, code, mapError, i)
    }
    const { text, unmapped, hyphen } = character(code, mapError)
    glyphs.push({
      text,
      x: a * ox + c * oy + e,
      y: b * ox + d * oy + f,
      ux: open.ux,
      uy: open.uy,
      advance,
      size: open.size,
      run: open.run,
      unmapped,
      hyphen,
      before,
      vertical: false,
    })
    before = 'nothing'
    if (code > 0xffff) i++
  }
  return glyphs
}

/** A slanted letter reaches back over the one before it: what lies behind its origin is no part of its width. */
function widthFrom(origin: number, left: number, right: number): number {
  return origin > left && origin < right ? Math.max(right - origin, origin - left) : Math.abs(right - left)
}

const isLead = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** The engine hands out characters beyond the basic plane as two. */
const joinSurrogates = (lead: number, trail: number): number =>
  trail >= 0xdc00 && trail <= 0xdfff ? ((lead - 0xd800) << 10) + (trail - 0xdc00) + 0x10000 : lead

/** Reads a text object when its first character comes up; characters of one object mostly stand together. */
class RunReader {
  private readonly engine: Engine
  private readonly textPage: number
  private readonly frame: PageFrame
  private readonly texts: ReadonlyMap<number, DrawnText>
  private readonly styles: StyleTable
  private readonly fonts = new Map<number, FontFacts>()
  private readonly runs = new Map<number, OpenRun>()
  private readonly widths = new Map<number, Map<number, number>>()
  private last = 0
  private lastRun: OpenRun | undefined

  constructor(engine: Engine, textPage: number, frame: PageFrame, texts: ReadonlyMap<number, DrawnText>, styles: StyleTable) {
    this.engine = engine
    this.textPage = textPage
    this.frame = frame
    this.texts = texts
    this.styles = styles
  }

  at(object: number, index: number): OpenRun {
    if (object === this.last && this.lastRun) return this.lastRun
    let run = this.runs.get(object)
    if (!run) {
      run = this.read(object, index)
      this.runs.set(object, run)
    }
    this.last = object
    this.lastRun = run
    return run
  }

  private font(font: number): FontFacts {
    const known = this.fonts.get(font)
    if (known) return known
    const facts = fontFacts(this.engine, font)
    this.fonts.set(font, facts)
    return facts
  }

  private read(object: number, index: number): OpenRun {
    const { call, heap, scratch } = this.engine
    const fontSize = Math.abs(call.FPDFText_GetFontSize(this.textPage, index)) || 1
    const has = call.FPDFText_GetMatrix(this.textPage, index, scratch)
    const [a = 1, b = 0, c = 0, d = 1] = has ? heap.f32.subarray(scratch >> 2, (scratch >> 2) + 4) : []
    const shown = multiply({ ...identity, a, b, c, d }, this.frame.matrix)
    const scale = Math.hypot(shown.a, shown.b)
    const height = scale > 0 ? Math.abs(shown.a * shown.d - shown.b * shown.c) / scale : Math.hypot(shown.c, shown.d)
    const size = fontSize * height
    const font = call.FPDFTextObj_GetFont(object)
    const facts = this.font(font)
    const mode = call.FPDFTextObj_GetTextRenderMode(object)
    const stroked = mode === 1 || mode === 5
    const color = readColor(this.engine, object, stroked ? 'stroke' : 'fill') ?? black
    const outlinedBold = (mode === 2 || mode === 6) && readColor(this.engine, object, 'stroke')?.hex === color.hex
    const drawn = this.texts.get(object)
    const run: TextRun = {
      z: drawn?.z ?? -1,
      style: this.styles.index(facts, size, facts.bold || outlinedBold, color.hex),
      mcid: drawn?.mcid ?? -1,
      optional: drawn?.optional ?? false,
      invisible: mode === 3 || mode === 7 || color.alpha === 0,
      ascent: facts.ascent,
    }
    const unit = scale || 1
    const upright = Math.abs(b) < 1e-6 * Math.abs(a)
    return { run, font, fontSize, size, scale, ux: shown.a / unit, uy: shown.b / unit, upright }
  }

  /** The engine's loose box is wrong for turned text: the width comes from the font, else from the ink. */
  turnedAdvance(open: OpenRun, code: number, mapError: boolean, index: number): number {
    if (!mapError) {
      const width = this.glyphWidth(open.font, code)
      if (width > 0) return (width / 1000) * open.fontSize * open.scale
    }
    const { call, heap, scratch } = this.engine
    call.FPDFText_GetCharBox(this.textPage, index, scratch, scratch + 8, scratch + 16, scratch + 24)
    const [left = 0, right = 0, bottom = 0, top = 0] = heap.f64.subarray(scratch >> 3, (scratch >> 3) + 4)
    const { a, b, c, d } = this.frame.matrix
    const w = right - left
    const h = top - bottom
    return Math.max(Math.abs(open.ux * (a * w) + open.uy * (b * w)), Math.abs(open.ux * (c * h) + open.uy * (d * h)))
  }

  private glyphWidth(font: number, code: number): number {
    let widths = this.widths.get(font)
    if (!widths) {
      widths = new Map()
      this.widths.set(font, widths)
    }
    const known = widths.get(code)
    if (known !== undefined) return known
    const { call, heap, scratch } = this.engine
    const width = call.FPDFFont_GetGlyphWidth(font, code, 1000, scratch) ? (heap.f32[scratch >> 2] ?? 0) : 0
    widths.set(code, width)
    return width
  }
}
