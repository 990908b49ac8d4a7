import type { PageGeometry } from '../page-geometry.ts'
import type { PrintedLine } from './printed-line.ts'

/** Longer bold beginnings are sentences. */
const maxWords = 8

/** A few bold words up to a colon or full stop, with plain text behind them on the line ("DATES: Comments must …"): they head their paragraph. */
export function startsLabel(line: PrintedLine, { words, styles }: PageGeometry): boolean {
  // Most lines have no bold word, or nothing else.
  if (line.bold === 0 || line.bold === 1) return false
  let count = 0
  let last = ''
  for (const atom of line.atoms) {
    for (const index of atom.words ?? []) {
      const word = words[index]
      if (!word) continue
      if (!styles[word.style]?.bold) return count > 0 && /\p{L}[:.]$/u.test(last)
      if (++count > maxWords) return false
      last = word.text
    }
  }
  return false
}
