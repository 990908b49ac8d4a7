import type { LayoutLine } from '../../schema/page.ts'
import { wordsAtom } from './atoms/atoms-from-words.ts'
import type { Atom, FoundTable, PageGeometry } from './page-geometry.ts'

/**
 * What is left of the atoms when tables have taken theirs. A table takes the words and regions that stand in its
 * cells and no others: an atom that reaches out of it is cut, and a word that no cell took comes back.
 */
export function freeAtoms(page: PageGeometry, tables: readonly FoundTable[]): Atom[] {
  if (tables.length === 0) return [...page.atoms]
  const words = new Uint8Array(page.words.length)
  const regions = new Set<number>()
  for (const line of tables.flatMap(cellLines)) {
    for (const word of line.words ?? []) words[word] = 1
    if (line.region !== undefined) regions.add(line.region)
  }
  const free: Atom[] = []
  for (const atom of page.atoms) {
    if (atom.region !== undefined) {
      if (!regions.has(atom.region)) free.push(atom)
      continue
    }
    const own = atom.words ?? []
    const left = own.filter((word) => words[word] !== 1)
    if (left.length === own.length) free.push(atom)
    else if (left.length > 0) free.push(wordsAtom(page, left))
  }
  return free
}

const cellLines = (found: FoundTable): LayoutLine[] => found.table.cells.flatMap((cell) => cell.lines)
