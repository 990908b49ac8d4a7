import type { PointBox } from '../../../schema/text-layer.ts'
import { proseAtoms } from './prose-atoms.ts'
import type { Segment } from './segments.ts'
import type { ViewAtom } from './table-view.ts'

/** Atoms that stand in rows and columns without ruling lines around them. */
export interface Candidate {
  readonly box: PointBox
  readonly atoms: readonly ViewAtom[]
}

/** Rows are at most so far apart, in em. */
const largestPitchEm = 5
/** So many lines with one piece may stand between rows: headings of groups, wrapped labels. */
const mostLoneLines = 3
/** And so many that go on with a cell of the row above. */
const mostCellLines = 12

interface Fragment {
  readonly atoms: readonly ViewAtom[]
  readonly x0: number
  readonly x1: number
  readonly y: number
  readonly em: number
  readonly gaps: readonly (readonly [number, number])[]
}

interface OpenCandidate {
  rows: Fragment[]
  /** Lines with one piece since the last row. */
  lone: Fragment[]
  x0: number
  x1: number
}

/**
 * Groups lines with several pieces whose gaps lie over each other. Running text takes no part.
 *
 * @param atoms those that no other table holds.
 * @param rules horizontal lines: one that reaches far beyond a candidate on both sides ends it.
 */
export function unruledCandidates(atoms: readonly ViewAtom[], rules: readonly Segment[]): Candidate[] {
  const rows = printedRows(atoms)
  // Most pages have no two lines with several pieces close to each other: nothing else is looked at.
  if (!rows.some((row, i) => row.length > 1 && isNear(rows, i))) return []
  const prose = proseAtoms(atoms)
  const fragments = rows.flatMap((row) => fragmentsOf(row, prose))
  const done: OpenCandidate[] = []
  let open: OpenCandidate[] = []
  for (const fragment of fragments) {
    open = open.filter((candidate) => {
      const last = candidate.lone.at(-1) ?? candidate.rows.at(-1)
      const near = last !== undefined && fragment.y - last.y <= largestPitchEm * Math.max(fragment.em, last.em) && !isCutOff(candidate, last, fragment, rules)
      if (!near) done.push(candidate)
      return near
    })
    const home = open.find((candidate) => fits(candidate, fragment))
    if (home) add(home, fragment)
    else if (fragment.gaps.length > 0) open.push({ rows: [fragment], lone: [], x0: fragment.x0, x1: fragment.x1 })
  }
  return [...done, ...open].filter((candidate) => candidate.rows.length >= 2 && !isMarkedList(candidate)).map(finish)
}

/** Width of a list's marker, and of the white behind it, in em. */
const widestMarkerEm = 2.5

/** Lines of a picture, not read yet, that begin with a piece no wider than a marker and have one other: items of a list. */
function isMarkedList({ rows }: OpenCandidate): boolean {
  return rows.every(({ atoms, gaps, em }) => {
    const [marker, item] = atoms
    if (!marker || !item || atoms.length > 2 || gaps.length > 1 || marker.text !== '' || item.text !== '') return false
    return marker.box[2] - marker.box[0] < widestMarkerEm * em && item.box[0] - marker.box[2] < widestMarkerEm * em
  })
}

function isNear(rows: readonly (readonly ViewAtom[])[], i: number): boolean {
  const first = rows[i]?.[0]
  for (let next = i + 1; next < rows.length && next <= i + mostLoneLines + 1; next++) {
    const row = rows[next]
    if (row && row.length > 1 && first && (row[0]?.baseline ?? Infinity) - first.baseline < 4 * largestPitchEm * first.sizePt) return true
  }
  return false
}

/** Atoms on one baseline, left to right; rows top to bottom. */
function printedRows(atoms: readonly ViewAtom[]): ViewAtom[][] {
  const sorted = [...atoms].sort((a, b) => a.baseline - b.baseline)
  const rows: ViewAtom[][] = []
  for (const atom of sorted) {
    const row = rows.at(-1)
    const first = row?.[0]
    if (row && first && atom.baseline - first.baseline < 0.4 * Math.min(atom.sizePt, first.sizePt)) row.push(atom)
    else rows.push([atom])
  }
  for (const row of rows) row.sort((a, b) => a.box[0] - b.box[0])
  return rows
}

/** Cuts a row at running text, and at an atom that is alone in a column of the page that holds running text close by. */
function fragmentsOf(row: readonly ViewAtom[], prose: ReadonlySet<ViewAtom>): Fragment[] {
  const fragments: Fragment[] = []
  let open: ViewAtom[] = []
  const close = () => {
    if (open.length > 0) fragments.push(fragmentOf(open))
    open = []
  }
  for (const atom of row) {
    if (prose.has(atom)) close()
    else if (row.length > 1 && isInTextColumn(atom, row, prose)) {
      close()
      fragments.push(fragmentOf([atom]))
    } else open.push(atom)
  }
  close()
  return fragments
}

/** How far above and below running text tells of its column, in em. */
const columnReachEm = 8

/** A heading or the short line of a paragraph beside a table in the next column: within the text's width, with nothing else on its line there. */
function isInTextColumn(atom: ViewAtom, row: readonly ViewAtom[], prose: ReadonlySet<ViewAtom>): boolean {
  for (const text of prose) {
    if (Math.abs(text.baseline - atom.baseline) > columnReachEm * atom.sizePt) continue
    const [x0, x1] = [text.box[0] - atom.sizePt, text.box[2] + atom.sizePt]
    if (atom.box[0] < x0 || atom.box[2] > x1) continue
    if (row.every((other) => other === atom || other.box[0] > text.box[2] || other.box[2] < text.box[0])) return true
  }
  return false
}

function fragmentOf(atoms: readonly ViewAtom[]): Fragment {
  const gaps: (readonly [number, number])[] = []
  let reach = atoms[0]?.box[2] ?? 0
  for (const atom of atoms.slice(1)) {
    if (atom.box[0] > reach) gaps.push([reach, atom.box[0]])
    reach = Math.max(reach, atom.box[2])
  }
  const first = atoms[0]
  return { atoms, x0: first?.box[0] ?? 0, x1: reach, y: first?.baseline ?? 0, em: first?.sizePt ?? 10, gaps }
}

function fits(candidate: OpenCandidate, fragment: Fragment): boolean {
  const common = Math.min(candidate.x1, fragment.x1) - Math.max(candidate.x0, fragment.x0)
  if (fragment.gaps.length === 0) {
    const most = beginsColumn(candidate, fragment) ? mostCellLines : mostLoneLines
    return candidate.lone.length < most && common > 0.9 * (fragment.x1 - fragment.x0)
  }
  if (common < 0.5 * Math.min(candidate.x1 - candidate.x0, fragment.x1 - fragment.x0)) return false
  return candidate.rows
    .slice(-4)
    .some((row) => row.gaps.some(([a0, a1]) => fragment.gaps.some(([b0, b1]) => Math.min(a1, b1) - Math.max(a0, b0) > 0.4 * fragment.em)))
}

/** The line begins where a cell beside the first column begins: it goes on with that cell. */
function beginsColumn(candidate: OpenCandidate, fragment: Fragment): boolean {
  return candidate.rows
    .slice(-4)
    .some((row) => row.atoms.slice(1).some((atom) => Math.abs(atom.box[0] - fragment.x0) < 2 * fragment.em && fragment.x0 > row.x0 + fragment.em))
}

function isCutOff(candidate: OpenCandidate, last: Fragment, fragment: Fragment, rules: readonly Segment[]): boolean {
  const beyond = 1.5 * last.em
  return rules.some((rule) => !rule.soft && rule.at > last.y && rule.at < fragment.y && rule.from < candidate.x0 - beyond && rule.to > candidate.x1 + beyond)
}

function add(candidate: OpenCandidate, fragment: Fragment): void {
  if (fragment.gaps.length === 0) {
    candidate.lone.push(fragment)
    return
  }
  candidate.rows.push(...candidate.lone, fragment)
  candidate.lone = []
  candidate.x0 = Math.min(candidate.x0, fragment.x0)
  candidate.x1 = Math.max(candidate.x1, fragment.x1)
}

function finish(candidate: OpenCandidate): Candidate {
  const atoms = candidate.rows.flatMap((row) => row.atoms)
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { box } of atoms) {
    x0 = Math.min(x0, box[0])
    y0 = Math.min(y0, box[1])
    x1 = Math.max(x1, box[2])
    y1 = Math.max(y1, box[3])
  }
  return { box: [x0, y0, x1, y1], atoms }
}
