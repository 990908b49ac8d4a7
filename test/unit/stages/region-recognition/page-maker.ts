import { type Config, configSchema } from '../../../../src/config/config.ts'
import type { Documents, OpenDocument, Picture, PictureOptions } from '../../../../src/runtime/document-reader.ts'
import type { LineReader, LineText } from '../../../../src/runtime/text-reader.ts'
import type { OcrMode } from '../../../../src/schema/ocr-mode.ts'
import type { LayoutBlock, LayoutLine, TextRegion, VerdictKind } from '../../../../src/schema/page.ts'
import type { Link, TextStyle, Word } from '../../../../src/schema/text-layer.ts'
import type { LaidOutPage } from '../../../../src/stages/stage-values.ts'

const body: TextStyle = { font: 'Body', sizePt: 10, bold: false, italic: false, monospace: false, symbolic: false, color: '#000000' }

/** Extra facts of one word of a line. */
export type WordFacts = Partial<Omit<Word, 'text' | 'box' | 'edges'>>

/** Builds laid-out pages of 600 by 800 points by hand: each character is 5 points wide, each line 10 high. */
export class PageMaker {
  readonly words: Word[] = []
  readonly styles: TextStyle[] = [body]
  readonly links: Link[] = []
  readonly regions: TextRegion[] = []
  readonly readings: string[] = []
  readonly blocks: LayoutBlock[] = []
  verdict: VerdictKind = 'text-layer'
  ocr: OcrMode = 'auto'

  style(style: Partial<TextStyle>): number {
    this.styles.push({ ...body, ...style })
    return this.styles.length - 1
  }

  link(link: Partial<Link>): number {
    this.links.push({ box: [0, 0, 1, 1], ...link })
    return this.links.length - 1
  }

  /** Words of a printed line; a string is split at its blanks, a pair is a word with facts. */
  line(parts: string | readonly (string | readonly [text: string, facts: WordFacts])[], x = 50, y = 100, height = 10): LayoutLine {
    const specs = (typeof parts === 'string' ? parts.split(' ') : parts).map((part) => (typeof part === 'string' ? ([part, {}] as const) : part))
    const indices: number[] = []
    let left = x
    for (const [i, [text, facts]] of specs.entries()) {
      const spaceBefore = facts.spaceBefore ?? i > 0
      if (spaceBefore) left += 5
      const right = left + 5 * text.length
      const edges = Array.from({ length: text.length + 1 }, (_, n) => left + 5 * n)
      this.words.push({ baseline: y + 8, style: 0, angle: 0, ...facts, spaceBefore, text, box: [left, y, right, y + height], edges })
      indices.push(this.words.length - 1)
      left = right
    }
    return { words: indices, box: [x / 600, y / 800, left / 600, (y + height) / 800] }
  }

  /** A region of the picture, and what the reader will make of it. */
  region(reading: string, x = 50, y = 100, height = 14, width = 8 * reading.length): LayoutLine {
    const [x0, y0, x1, y1] = [x / 600, y / 800, (x + Math.max(8, width)) / 600, (y + height) / 800]
    this.regions.push({ corners: [x0, y0, x1, y0, x1, y1, x0, y1], score: 0.9 })
    this.readings.push(reading)
    return { region: this.regions.length - 1, box: [x0, y0, x1, y1] }
  }

  block(kind: LayoutBlock['kind'], lines: readonly LayoutLine[], more: Partial<LayoutBlock> = {}): LayoutBlock {
    const box = [
      Math.min(...lines.map((l) => l.box[0]), 1),
      Math.min(...lines.map((l) => l.box[1]), 1),
      Math.max(...lines.map((l) => l.box[2]), 0),
      Math.max(...lines.map((l) => l.box[3]), 0),
    ] as const
    const block: LayoutBlock = { kind, box, angle: 0, lines: [...lines], flags: [], ...more }
    this.blocks.push(block)
    return block
  }

  page(pageIndex = 0): LaidOutPage {
    return {
      page: {
        documentId: 'doc',
        revision: 'rev',
        pageIndex,
        pageCount: 9,
        ocr: this.ocr,
        source: { name: 'a.pdf', path: '/a.pdf', mediaType: 'application/pdf', bytes: 1, sha256: '00' },
      },
      frame: { width: 600, height: 800, angle: 0 },
      textLayer: {
        width: 600,
        height: 800,
        rotation: 0,
        styles: this.styles,
        words: this.words,
        lines: [],
        rules: [],
        fills: [],
        pictures: [],
        drawings: [],
        links: this.links,
        tags: [],
        fields: [],
        unmappedChars: 0,
        totalChars: 0,
      },
      verdict: { kind: this.verdict, reasons: [], regions: this.regions, modelUsed: false, badStyles: [] },
      blocks: this.blocks,
    }
  }
}

/** Documents whose pages are grey pictures of 60 by 80 pixels, and a count of what was asked for. */
export function greyDocuments(): Documents & { readonly asked: PictureOptions[] } {
  const asked: PictureOptions[] = []
  const picture = async (_: number, options: PictureOptions): Promise<Picture> => {
    asked.push(options)
    return { data: new Uint8Array(60 * 80 * 3).fill(128), width: 60, height: 80, channels: 3, dpi: 72 }
  }
  const document = { picture } as unknown as OpenDocument
  return {
    asked,
    use: (_, action) => action(document),
    release: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
}

/** A reader that knows what stands in each region of the page. */
export function knowingReader(maker: PageMaker, confidence: (text: string) => number = (text) => (text === '' ? 0 : 0.95)): LineReader & { calls: number } {
  return {
    model: 'fake',
    calls: 0,
    async read(_, regions): Promise<LineText[]> {
      this.calls++
      return regions.map((region) => {
        const text = maker.readings[maker.regions.indexOf(region)] ?? ''
        return { text, confidence: confidence(text), turned: false }
      })
    },
  }
}

export const config = (changes: Partial<Config> = {}): Config => ({ ...configSchema.parse({}), images: false, ...changes })
