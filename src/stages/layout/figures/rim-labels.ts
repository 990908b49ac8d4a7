import { overlap, union } from '../../../geometry/box.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import type { Atom, PageGeometry } from '../page-geometry.ts'

/** How far from a drawing its labels stand, in em: ticks, rows of ticks, and the turned name of an axis beyond those. */
const [tickReach, rowReach, turnedReach] = [1.1, 1.7, 3]
/** The name of an axis stands outside its ticks, and years outside months. */
const maxRounds = 3
/** A drawing without any writing in it needs so many labels at its rim: fewer are numbers that happen to stand there. */
const fewest = 3
/** A label of a row of ticks is at most so long, and stands clear of the next by so much (in em). */
const [longestTick, clearEm] = [5, 1.2]

/** Numbers, as they stand at the ticks of an axis. */
export const isTick = (atom: Atom): boolean => atom.text.length <= 12 && /^[-−+]?[\d.,]+\s?(?:%|[kKM])?$/.test(atom.text.trim())

/**
 * Writing at the rim of a drawing that belongs to it: numbers and single letters at its ticks, rows of short labels far
 * apart from each other, and turned writing beside it. Indices of atoms.
 *
 * @param inside labels within the drawing.
 */
export function rimLabels(page: PageGeometry, drawing: PointBox, inside: ReadonlySet<number>, prose: ReadonlySet<number>): number[] {
  const found = new Set<number>()
  const others = [...page.atoms.entries()].filter(([i, atom]) => !inside.has(i) && !prose.has(i) && atom.words !== undefined && isNear(drawing, atom, 12))
  let box = drawing
  for (let round = 0; round < maxRounds; round++) {
    const around = box
    const added = others.filter(([i, atom]) => !found.has(i) && (isAtTick(around, atom) || isTurned(around, atom) || isRow(around, atom, page)))
    const rest = others.filter(([i, atom]) => !found.has(i) && added.some(([, row]) => isSameRow(row, atom, page)) && isNear(around, atom, rowReach))
    for (const [i, atom] of [...added, ...rest]) {
      found.add(i)
      box = union(box, atom.box)
    }
    if (round === 0 && inside.size === 0 && found.size < fewest) return []
    if (added.length === 0) break
  }
  return [...found]
}

function isNear(box: PointBox, atom: Atom, reachEm: number): boolean {
  const reach = reachEm * atom.sizePt
  const dx = Math.max(box[0], atom.box[0]) - Math.min(box[2], atom.box[2])
  const dy = Math.max(box[1], atom.box[1]) - Math.min(box[3], atom.box[3])
  return dx <= reach && dy <= reach
}

const isAtTick = (box: PointBox, atom: Atom): boolean => (isTick(atom) || /^\p{L}\d?$/u.test(atom.text)) && isNear(box, atom, tickReach)

/** Turned writing along a side of the drawing, no longer than it. */
function isTurned(box: PointBox, atom: Atom): boolean {
  if (atom.vertical || Math.abs((atom.angle % 180) - 90) > 10 || !isNear(box, atom, turnedReach)) return false
  return overlap(box[1], box[3], atom.box[1], atom.box[3]) > 0.9 * (atom.box[3] - atom.box[1])
}

/** Four or more short labels, each far from the next, above or below the drawing and no wider than it. */
const isRow = (box: PointBox, atom: Atom, page: PageGeometry): boolean =>
  (atom.words?.length ?? 0) >= 4 && isSpaced(atom, page) && isNear(box, atom, rowReach) && isWithin(box, atom)

/** Another piece of a row of labels: on its baseline, and of the same make. */
const isSameRow = (row: Atom, atom: Atom, page: PageGeometry): boolean =>
  (row.words?.length ?? 0) >= 4 && atom.angle === row.angle && Math.abs(atom.baseline - row.baseline) < 0.3 * atom.sizePt && isSpaced(atom, page)

const isWithin = (box: PointBox, atom: Atom): boolean => overlap(box[0], box[2], atom.box[0], atom.box[2]) > 0.9 * (atom.box[2] - atom.box[0])

function isSpaced(atom: Atom, page: PageGeometry): boolean {
  const words = (atom.words ?? []).flatMap((i) => page.words[i] ?? [])
  return words.every((word, i) => {
    const before = words[i - 1]
    return word.text.length <= longestTick && (!before || word.box[0] - before.box[2] > clearEm * atom.sizePt)
  })
}
