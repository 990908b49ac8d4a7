import type { PageRef } from '../../src/schema/page.ts'
import type { TextLayer, TextStyle, Word } from '../../src/schema/text-layer.ts'

export const plainStyle: TextStyle = { font: 'Serif', sizePt: 10, bold: false, italic: false, monospace: false, symbolic: false, color: '#000000' }

export interface LayerParts extends Partial<Omit<TextLayer, 'words' | 'lines'>> {
  readonly words?: readonly Word[]
}

/** A letter-size page with nothing on it but what is given. */
export function textLayer(parts: LayerParts = {}): TextLayer {
  const words = parts.words ?? []
  return {
    width: 612,
    height: 792,
    rotation: 0,
    styles: [plainStyle],
    lines: words.map((word, first) => ({ first, count: 1, box: word.box, baseline: word.baseline, angle: word.angle })),
    rules: [],
    fills: [],
    pictures: [],
    drawings: [],
    links: [],
    tags: [],
    fields: [],
    unmappedChars: 0,
    totalChars: words.reduce((sum, word) => sum + word.text.length, 0),
    ...parts,
    words,
  }
}

/** Words of a text set in lines of 60 points to a word, from the given baseline on. */
export function printedWords(text: string, more: Partial<Word> = {}, top = 100): Word[] {
  return text.split(' ').map((part, i) => {
    const x = 60 + (i % 8) * 60
    const y = top + Math.floor(i / 8) * 14
    const edges = Array.from({ length: part.length + 1 }, (_, k) => x + k * 5)
    return { text: part, box: [x, y - 9, x + part.length * 5, y + 3], baseline: y, style: 0, angle: 0, spaceBefore: i % 8 > 0, edges, ...more }
  })
}

export const pageRef = (more: Partial<PageRef> = {}): PageRef => ({
  documentId: 'd',
  revision: 'r',
  pageIndex: 0,
  pageCount: 1,
  ocr: 'auto',
  source: { name: 'a.pdf', path: '/a.pdf', mediaType: 'application/pdf', bytes: 1, sha256: 'x' },
  ...more,
})
