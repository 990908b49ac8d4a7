import type { LayoutBlock, TextRegion, Verdict } from '../../src/schema/page.ts'
import type { Fill, FormField, HiddenReason, PointBox, Rule, Tag, TextLayer, TextLine, TextStyle, Word } from '../../src/schema/text-layer.ts'
import { layoutPage } from '../../src/stages/layout/layout-page.ts'
import type { GatedPage } from '../../src/stages/stage-values.ts'

export interface WriteOptions {
  readonly size?: number
  readonly bold?: boolean
  readonly italic?: boolean
  readonly monospace?: boolean
  readonly symbolic?: boolean
  readonly angle?: 0 | 90 | 180 | 270
  readonly vertical?: boolean
  readonly hidden?: HiddenReason
  readonly mcid?: number
  readonly raised?: 'super'
  /** Wider spaces, in points. */
  readonly space?: number
}

/** A page of made-up text in points: every character is half as wide as its size, CJK characters as wide as it. */
export class SyntheticPage {
  readonly words: Word[] = []
  readonly lines: TextLine[] = []
  readonly styles: TextStyle[] = []
  readonly rules: Rule[] = []
  readonly fills: Fill[] = []
  readonly drawings: PointBox[] = []
  readonly pictures: { box: PointBox; widthPx: number; heightPx: number }[] = []
  readonly fields: FormField[] = []
  tags: Tag[] = []
  regions: TextRegion[] = []
  verdict: Verdict['kind'] = 'text-layer'
  badStyles: number[] = []

  readonly width: number
  readonly height: number

  constructor(width = 600, height = 800) {
    this.width = width
    this.height = height
  }

  /** Writes one line; `x`, `y` is where its baseline begins. Returns where it ends along its direction. */
  write(text: string, x: number, y: number, options: WriteOptions = {}): number {
    const { size = 10, angle = 0, vertical = false } = options
    const style = this.style(options)
    const first = this.words.length
    let along = 0
    for (const [i, token] of text.split(' ').entries()) {
      if (i > 0) along += options.space ?? size * 0.25
      const length = [...token].reduce((sum, c) => sum + (c.charCodeAt(0) >= 0x2e80 ? size : size / 2), 0)
      const box = this.place(x, y, along, length, size, angle, vertical)
      this.words.push({
        text: token,
        box,
        baseline: angle === 0 && !vertical ? y : x,
        style,
        angle,
        ...(vertical ? { vertical } : {}),
        spaceBefore: i > 0,
        edges: [along, along + length],
        ...(options.hidden ? { hidden: options.hidden } : {}),
        ...(options.mcid === undefined ? {} : { mcid: options.mcid }),
        ...(options.raised ? { raised: options.raised } : {}),
      })
      along += length
    }
    const boxes = this.words.slice(first).map((w) => w.box)
    const box: PointBox = [
      Math.min(...boxes.map((b) => b[0])),
      Math.min(...boxes.map((b) => b[1])),
      Math.max(...boxes.map((b) => b[2])),
      Math.max(...boxes.map((b) => b[3])),
    ]
    this.lines.push({ first, count: this.words.length - first, box, baseline: y, angle, ...(vertical ? { vertical: true as const } : {}) })
    return x + along
  }

  /** Lines one below the other; returns the baseline after the last. */
  column(lines: readonly string[], x: number, y: number, options: WriteOptions & { leading?: number } = {}): number {
    const leading = options.leading ?? (options.size ?? 10) * 1.2
    for (const [i, line] of lines.entries()) this.write(line, x, y + i * leading, options)
    return y + lines.length * leading
  }

  /** A region of a picture, as the text finder gives it. Points; `slope` in degrees. */
  region(x: number, y: number, width: number, height: number, slope = 0): void {
    const [cos, sin] = [Math.cos((slope * Math.PI) / 180), Math.sin((slope * Math.PI) / 180)]
    const at = (dx: number, dy: number) => [(x + dx * cos - dy * sin) / this.width, (y + dx * sin + dy * cos) / this.height] as const
    this.regions.push({ corners: [...at(0, 0), ...at(width, 0), ...at(width, height), ...at(0, height)], score: 0.9 })
  }

  gated(): GatedPage {
    const textLayer: TextLayer = {
      width: this.width,
      height: this.height,
      rotation: 0,
      styles: this.styles,
      words: this.words,
      lines: this.lines,
      rules: this.rules,
      fills: this.fills,
      pictures: this.pictures,
      drawings: this.drawings,
      links: [],
      tags: this.tags,
      fields: this.fields,
      unmappedChars: 0,
      totalChars: this.words.reduce((sum, w) => sum + w.text.length, 0),
    }
    return {
      page: {
        documentId: 'd',
        revision: 'r',
        pageIndex: 0,
        pageCount: 1,
        ocr: 'auto',
        source: { name: 'p', path: 'p', mediaType: 'application/pdf', bytes: 1, sha256: 's' },
      },
      frame: { width: this.width, height: this.height, angle: 0 },
      textLayer,
      verdict: { kind: this.verdict, reasons: [], regions: this.regions, modelUsed: false, badStyles: this.badStyles },
    }
  }

  blocks(): LayoutBlock[] {
    return layoutPage(this.gated())
  }

  textOf(block: LayoutBlock): string {
    return block.lines.map((line) => (line.words ?? []).map((w) => this.words[w]?.text).join(' ')).join(' ')
  }

  /** Kind and text of each block, in order. */
  read(): string[] {
    return this.blocks().map((block) => `${block.kind}: ${this.textOf(block)}`)
  }

  private style(options: WriteOptions): number {
    const { size = 10, bold = false, italic = false, monospace = false, symbolic = false } = options
    const font = `${bold ? 'Bold' : ''}${italic ? 'Italic' : ''}${monospace ? 'Mono' : ''}${symbolic ? 'Symbol' : ''}Face`
    const style: TextStyle = { font, sizePt: size, bold, italic, monospace, symbolic, color: '#000000' }
    const known = this.styles.findIndex((s) => s.font === font && s.sizePt === size)
    return known >= 0 ? known : this.styles.push(style) - 1
  }

  private place(x: number, y: number, along: number, length: number, size: number, angle: number, vertical: boolean): PointBox {
    if (vertical) return [x - size / 2, y + along, x + size / 2, y + along + length]
    const [up, down] = [size * 0.8, size * 0.2]
    switch (angle) {
      case 90:
        return [x - down, y + along, x + up, y + along + length]
      case 180:
        return [x - along - length, y - down, x - along, y + up]
      case 270:
        return [x - up, y - along - length, x + down, y - along]
      default:
        return [x + along, y - up, x + along + length, y + down]
    }
  }
}

const vocabulary =
  'amber birch cedar delta ember fjord grove hazel inlet jetty knoll larch maple north ocean pine quay ridge stone tide umber vale wharf yarrow zenith'.split(
    ' ',
  )

/**
 * Lines of prose that fill a column nearly to its right edge; the last is short and ends the sentence.
 * The first word of each line is `name` and the line's number, so that tests can follow the order.
 */
export function prose(name: string, lines: number, width: number, size = 10): string[] {
  const chars = Math.floor(width / (size / 2))
  return Array.from({ length: lines }, (_, i) => {
    const isLast = i === lines - 1
    let line = `${name}${i}`
    for (let n = 0; ; n++) {
      const word = vocabulary[(i * 7 + n) % vocabulary.length] ?? ''
      // A space is half as wide as a letter.
      if (line.length + word.length + 1 > (isLast ? chars / 2 : chars)) break
      line += ` ${word}`
    }
    return isLast ? `${line}.` : line
  })
}
