import { randomOf } from './random.ts'

/** Kinds that all families have, each under its own name. */
export type ScriptedKind = 'title' | 'text' | 'table' | 'equation' | 'image' | 'header' | 'page_number'

/** A block as the model is to find it and to read it. */
export interface ScriptedBlock {
  readonly kind: ScriptedKind
  /** Thousandths of the page: x0 y0 x1 y1. */
  readonly box: readonly [number, number, number, number]
  readonly angle: 0 | 90 | 180 | 270
  /** The words; LaTeX of an equation; empty for a picture. */
  readonly text: string
  /** Of a table: rows of cells, the first as wide as all others. */
  readonly cells?: readonly (readonly string[])[]
  readonly continues?: boolean
}

/** A page as a model is to read it: what its answers are made from, and what the result is compared with. */
export interface ScriptedPage {
  readonly blocks: readonly ScriptedBlock[]
}

const words = ['river', 'count', 'stone', 'letter', 'north', 'season', 'grain', 'ledger', 'harbour', 'paper', 'copper', 'journey', 'winter', 'figure', 'bridge']

interface Pen {
  words(count: number): string
  number(below: number): number
}

function penOf(seed: number): Pen {
  const random = randomOf(seed)
  const number = (below: number) => Math.floor(random() * below)
  return { number, words: (count) => Array.from({ length: count }, () => words[number(words.length)] ?? '').join(' ') }
}

const sentence = (pen: Pen, count: number): string => {
  const text = pen.words(count)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function table(pen: Pen): Pick<ScriptedBlock, 'text' | 'cells'> {
  const columns = 3 + pen.number(2)
  const rows = 4 + pen.number(4)
  const cells = Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, () => (row === 0 ? pen.words(1) : `${pen.number(1000)}`)))
  return { text: '', cells }
}

/** One column of paragraphs from `top` to `bottom`; how long they are goes with their height, as on a printed page. */
function column(pen: Pen, x0: number, x1: number, top: number, bottom: number, count: number): ScriptedBlock[] {
  const height = Math.floor((bottom - top) / count)
  return Array.from({ length: count }, (_, index) => {
    const y0 = top + index * height
    const text = sentence(pen, Math.max(3, Math.round((height * (x1 - x0)) / 900) + pen.number(8)))
    return { kind: 'text', box: [x0, y0, x1, y0 + height - 8], angle: 0, text }
  })
}

/** A page of two columns with a title, paragraphs, a table, an equation, a picture and its furniture: 13 blocks, 12 of them with words. */
export function scriptedPage(seed: number): ScriptedPage {
  const pen = penOf(seed * 7919 + 1)
  const block = (kind: ScriptedKind, box: ScriptedBlock['box'], text: string): ScriptedBlock => ({ kind, box, angle: 0, text })
  return {
    blocks: [
      block('header', [80, 30, 480, 48], sentence(pen, 3)),
      block('title', [80, 70, 900, 110], pen.words(4 + pen.number(4))),
      ...column(pen, 80, 480, 130, 700, 4),
      { kind: 'table', box: [80, 710, 480, 930], angle: 0, ...table(pen) },
      ...column(pen, 520, 920, 130, 420, 2),
      block('equation', [560, 440, 880, 490], `E_{${pen.number(100)}} = m c^{${2 + pen.number(3)}}`),
      block('image', [520, 510, 920, 700], ''),
      block('text', [520, 710, 920, 900], sentence(pen, 30 + pen.number(20))),
      block('page_number', [480, 960, 520, 980], `${seed + 1}`),
    ],
  }
}
