import type { TextStyle } from '../../../../schema/text-layer.ts'
import type { Engine } from '../engine.ts'

export interface FontFacts {
  readonly name: string
  readonly bold: boolean
  readonly italic: boolean
  readonly monospace: boolean
  readonly symbolic: boolean
  /** Part of a line of one size that lies above the baseline. */
  readonly ascent: number
}

/** Font descriptor flags, PDF 32000-1 table 123. */
const fixedPitch = 1
const italicFlag = 1 << 6
const forceBold = 1 << 18

const boldName = /bold|black|heavy|demi(?!cal)|[-,.](bd|b|bi)$|^cmb|^cmssb|^sfb|^ec?bx\d|nimbus.*-medi|[-]medi(ital)?$/i
const italicName = /ital|obliq|slanted|[-,.](it|i|bi)$|^cm(ti|sl|bxti|bxsl|ssi|mi)|^sf(ti|sl)/i
const monospaceName = /mono(?!type)|courier|consol|typewriter|^cmtt|^cmsltt|^sftt|menlo|monaco|inconsolata|fixed/i
/** Fonts whose glyphs are signs: Computer Modern mathematics, AMS symbols, Symbol, dingbats, …Math. */
const symbolicName =
  /^(cm(mi|sy|ex|bsy)|msam|msbm|euf|eus|eur|rsfs|lasy|wasy|stmary|esint|mt(sy|ex|mi)|tx(sy|ex|mi)|px(sy|ex|mi)|bbm|dsrom)|symbol|math|dingbat|wingding|webding/i

/** Name, weight, slant and kind of a font. Asked once a font and page. */
export function fontFacts(engine: Engine, font: number): FontFacts {
  const { call, heap, scratch } = engine
  const name = engine.readText((buffer, bytes) => call.FPDFFont_GetBaseFontName(font, buffer, bytes), 'utf-8').replace(/^[A-Z]{6}\+/, '')
  const flags = call.FPDFFont_GetFlags(font)
  const known = Math.max(0, flags)
  const slanted = call.FPDFFont_GetItalicAngle(font, scratch) ? (heap.i32[scratch >> 2] ?? 0) !== 0 : false
  return {
    name,
    bold: boldName.test(name) || (known & forceBold) !== 0 || call.FPDFFont_GetWeight(font) >= 600,
    italic: italicName.test(name) || (known & italicFlag) !== 0 || slanted,
    monospace: monospaceName.test(name) || (known & fixedPitch) !== 0,
    symbolic: symbolicName.test(name),
    ascent: ascentShare(engine, font),
  }
}

/** Fonts that lie about their metrics are many: the share is kept within what real fonts have. */
function ascentShare(engine: Engine, font: number): number {
  const { call, heap, scratch } = engine
  const ascent = call.FPDFFont_GetAscent(font, 1000, scratch) ? (heap.f32[scratch >> 2] ?? 0) : 0
  const descent = call.FPDFFont_GetDescent(font, 1000, scratch) ? (heap.f32[scratch >> 2] ?? 0) : 0
  const height = ascent - descent
  const share = height > 0 ? ascent / height : Number.NaN
  return Number.isFinite(share) ? clampShare(share) : 0.78
}

const clampShare = (share: number): number => Math.min(0.88, Math.max(0.68, share))

const maxStyles = 4096

/** The styles of a page, each once. */
export class StyleTable {
  readonly styles: TextStyle[] = []
  private readonly indices = new Map<string, number>()

  /** Sizes are told apart by a tenth of a point. Past a bound of distinct styles the last one stands for the rest. */
  index(font: FontFacts, sizePt: number, bold: boolean, color: string): number {
    const size = Math.round(sizePt * 10) / 10
    const key = `${font.name}|${size}|${color}|${bold}|${font.italic}`
    const known = this.indices.get(key)
    if (known !== undefined) return known
    if (this.styles.length >= maxStyles) return maxStyles - 1
    const { name, italic, monospace, symbolic } = font
    this.styles.push({ font: name, sizePt: size, bold, italic, monospace, symbolic, color })
    this.indices.set(key, this.styles.length - 1)
    return this.styles.length - 1
  }
}
