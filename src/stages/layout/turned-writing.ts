import { union, unionAll } from '../../geometry/box.ts'
import type { PointBox } from '../../schema/text-layer.ts'
import { isSlanted, nearestQuarter, readingTurn } from './atoms/reading-turn.ts'
import type { DraftBlock } from './draft-block.ts'
import { framedDividers, framedPiece, makeFrame } from './frame.ts'
import type { ParagraphContext } from './lines/split-paragraphs.ts'
import { xyCut } from './order/xy-cut.ts'
import type { Atom } from './page-geometry.ts'
import { partBlocks } from './part-blocks.ts'
import type { TurnedSolid } from './solids.ts'

/** More turned atoms than this are read as one group: a page made to be slow. */
const maxGrouped = 800

/** Lays out writing that runs in another direction than the page: each group of neighbours becomes one solid. */
export function layTurnedWriting(atoms: readonly Atom[], context: ParagraphContext): TurnedSolid[] {
  const byDirection = new Map<string, Atom[]>()
  for (const atom of atoms) {
    const key = isSlanted(atom.angle) ? `slanted ${Math.round(atom.angle / 5)}` : `${readingTurn(atom.angle, atom.vertical)}${atom.vertical ? ' vertical' : ''}`
    const group = byDirection.get(key)
    if (group) group.push(atom)
    else byDirection.set(key, [atom])
  }
  return [...byDirection.values()].flatMap((group) => neighbours(group).map((near) => turnedSolid(near, context)))
}

function turnedSolid(atoms: readonly Atom[], context: ParagraphContext): TurnedSolid {
  const first = atoms[0]
  const frame = makeFrame(context.page, readingTurn(first?.angle ?? 0, first?.vertical === true))
  const pieces = atoms.map((atom, rank) => framedPiece(atom, frame, rank))
  const parts = xyCut(pieces, { rightToLeft: false, dividers: framedDividers(context.page, frame) })
  const blocks = parts.flatMap((part) => partBlocks(part, [], context)).map((block) => asTurned(block, first, atoms, context))
  return { kind: 'turned', box: unionAll(atoms.map((a) => a.box)), blocks }
}

function asTurned(block: DraftBlock, first: Atom | undefined, atoms: readonly Atom[], context: ParagraphContext): DraftBlock {
  const slanted = first !== undefined && isSlanted(first.angle)
  const box = unionAll(atoms.map((a) => a.box))
  const isStamp = slanted || (atoms.length <= 4 && isAtSide(box, context.page.width))
  return {
    ...block,
    kind: isStamp && !first?.vertical ? 'aside' : 'text',
    angle: slanted ? (first?.angle ?? 0) : first?.vertical ? 0 : nearestQuarter(first?.angle ?? 0),
    ...(first?.vertical ? { vertical: true } : {}),
  }
}

/** In the outer seventh of the page: a stamp along its edge. */
const isAtSide = (box: PointBox, width: number): boolean => box[2] < width / 7 || box[0] > (width * 6) / 7

/** Groups of atoms that lie within two lines of each other. */
function neighbours(atoms: readonly Atom[]): Atom[][] {
  if (atoms.length > maxGrouped) return [[...atoms]]
  const groups: { box: PointBox; atoms: Atom[] }[] = []
  for (const atom of atoms) {
    const near = groups.filter((g) => isNear(g.box, atom))
    const [into, ...others] = near
    if (!into) {
      groups.push({ box: atom.box, atoms: [atom] })
      continue
    }
    for (const other of others) {
      into.atoms.push(...other.atoms)
      into.box = union(into.box, other.box)
      groups.splice(groups.indexOf(other), 1)
    }
    into.atoms.push(atom)
    into.box = union(into.box, atom.box)
  }
  return groups.map((g) => g.atoms)
}

function isNear(box: PointBox, atom: Atom): boolean {
  const reach = 2 * atom.sizePt
  const dx = Math.max(box[0], atom.box[0]) - Math.min(box[2], atom.box[2])
  const dy = Math.max(box[1], atom.box[1]) - Math.min(box[3], atom.box[3])
  return dx < reach && dy < reach
}
