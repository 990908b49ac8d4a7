import { centerX, overlap, unionAll } from '../../../geometry/box.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import { wordsAtom } from '../atoms/atoms-from-words.ts'
import { hangs } from '../atoms/hanging-glyphs.ts'
import type { Atom, PageGeometry } from '../page-geometry.ts'
import type { PrintedLine } from './printed-line.ts'

/** Lines of text are never set closer than this, in em of the larger type: what is, stands above or below one line. */
const tight = 0.92
/** Limits stand so far above or below their line, in em of its type. */
const [limitBelow, limitAbove] = [1.35, 1.6]
/** Parts of a formula that stand above or below its line are short. */
const mostChars = 40
/** And of few words, all together. */
const mostWords = 4
/** Lines that may make up one. */
const mostLines = 8

const mathSign = /[=<>≤≥≠≈≡∑∏∫√∂∇±×÷∈∉⊂⊆∪∩∀∃∞→⇒⇔↦+−|]|[α-ωΓΔΘΛΞΠΣΦΨΩ]/u

/**
 * Makes one line of the lines that a formula is set in: the numerators and denominators of its fractions, the rows behind
 * a large bracket, and the limits of its sums. Each part follows the sign that it stands at.
 *
 * @param lines by baseline.
 */
export function stackLines(lines: readonly PrintedLine[], page: PageGeometry): PrintedLine[] {
  const stacked: PrintedLine[] = []
  let group: PrintedLine[] = []
  for (const line of lines) {
    if (group.length > 0 && group.length < mostLines && belongs(group, line)) group.push(line)
    else {
      if (group.length > 0) stacked.push(oneLine(group, page))
      group = [line]
    }
  }
  if (group.length > 0) stacked.push(oneLine(group, page))
  return stacked
}

function belongs(group: readonly PrintedLine[], line: PrintedLine): boolean {
  const last = group.at(-1)
  if (!last || last.text === '' || line.text === '' || last.rightToLeft || line.rightToLeft) return false
  const distance = line.baseline - last.baseline
  const largest = Math.max(line.em, ...group.map((l) => l.em))
  if (distance > limitAbove * largest) return false
  if (isLimitBelow(group, line) || isLimitAbove(group, line)) return true
  if (distance >= tight * Math.max(last.em, line.em)) return false
  const all = [...group, line]
  return all.every((l) => l.chars <= mostChars) && all.some(isMath) && all.reduce((sum, l) => sum + words(l), 0) <= mostWords
}

const words = (line: PrintedLine): number => line.text.match(/\p{L}{3,}/gu)?.length ?? 0
const isMath = (line: PrintedLine): boolean => line.symbolic > 0.2 || mathSign.test(line.text)

/** Smaller writing close below a sign that hangs, or symbols below anything, within the width of the line; further rows stand under the first. */
function isLimitBelow(group: readonly PrintedLine[], line: PrintedLine): boolean {
  const host = mainLine(group)
  if (line.em >= 0.85 * host.em || line.chars > mostChars / 2 || line.box[0] < host.box[0] - host.em || line.box[2] > host.box[2] + host.em) return false
  const above = group.filter((l) => l.baseline > host.baseline && overlap(l.box[0], l.box[2], line.box[0], line.box[2]) > 0).at(-1)
  if (above) return line.baseline - above.baseline < 1.4 * line.em
  const signs = host.atoms.flatMap((atom, i) => (hangs(atom.style) && isOver((line.box[0] + line.box[2]) / 2, host.places[i], host.em) ? [atom.baseline] : []))
  return (signs.length > 0 || line.symbolic > 0.3) && line.baseline - Math.max(host.baseline, ...signs) < limitBelow * host.em
}

/** Small symbols above a sum or product of the line. */
function isLimitAbove(group: readonly PrintedLine[], line: PrintedLine): boolean {
  if (group.length > 1) return false
  const [limit] = group
  if (!limit || limit.em >= 0.85 * line.em || limit.chars > mostChars / 4 || line.baseline - limit.baseline > limitAbove * line.em) return false
  const middle = (limit.box[0] + limit.box[2]) / 2
  return line.atoms.some((atom, i) => hangs(atom.style) && isOver(middle, line.places[i], line.em))
}

const isOver = (x: number, box: PointBox | undefined, em: number): boolean => box !== undefined && x > box[0] - em && x < box[2] + em

/** The line in the largest type; of several the one in the middle. */
function mainLine(group: readonly PrintedLine[]): PrintedLine {
  const [first, ...rest] = group as readonly [PrintedLine, ...PrintedLine[]]
  const middle = (first.baseline + (rest.at(-1) ?? first).baseline) / 2
  const isNearer = (a: PrintedLine, b: PrintedLine) => Math.abs(a.baseline - middle) < Math.abs(b.baseline - middle)
  return rest.reduce((main, line) => (line.em > 1.1 * main.em || (line.em > 0.9 * main.em && isNearer(line, main)) ? line : main), first)
}

interface Part {
  readonly atom: Atom
  readonly place: PointBox
  readonly baseline: number
}

function oneLine(group: readonly PrintedLine[], page: PageGeometry): PrintedLine {
  const [only] = group
  if (only && group.length === 1) return only
  const main = mainLine(group)
  const parts = inOrder(group, main, page)
  const chars = group.reduce((sum, l) => sum + l.chars, 0)
  const share = (of: (l: PrintedLine) => number) => group.reduce((sum, l) => sum + of(l) * l.chars, 0) / Math.max(1, chars)
  return {
    ...main,
    box: unionAll(group.map((l) => l.box)),
    atoms: parts.map((p) => p.atom),
    places: parts.map((p) => p.place),
    text: parts.map((p) => p.atom.text).join(' '),
    chars,
    bold: share((l) => l.bold),
    italic: share((l) => l.italic),
    monospace: share((l) => l.monospace),
    symbolic: share((l) => l.symbolic),
  }
}

/** From left to right along the main line; what stands above and below it row by row, after the sign that it stands at. */
function inOrder(group: readonly PrintedLine[], main: PrintedLine, page: PageGeometry): Part[] {
  const parts = group.flatMap((line) =>
    line.atoms.flatMap((atom, i) =>
      line.em < 0.85 * main.em ? [{ atom, place: line.places[i] ?? atom.box, baseline: line.baseline }] : wordParts(atom, line, i, page),
    ),
  )
  const isMain = (part: Part) => Math.abs(part.baseline - main.baseline) < 0.2 * main.em
  const own = parts.filter(isMain).sort((a, b) => a.place[0] - b.place[0])
  const placed = parts
    .filter((part) => !isMain(part))
    .map((part) => ({ part, after: own.filter((o) => centerX(o.place) < centerX(part.place) + 0.3 * main.em).length }))
    .sort((a, b) => a.after - b.after || a.part.baseline - b.part.baseline || a.part.place[0] - b.part.place[0])
  return Array.from({ length: own.length + 1 }, (_, at) => [
    ...own.slice(Math.max(0, at - 1), at),
    ...placed.filter((p) => p.after === at).map((p) => p.part),
  ]).flat()
}

/** The words of an atom one by one: rows behind a bracket mingle word by word. On a turned page words have no place of their own. */
function wordParts(atom: Atom, line: PrintedLine, at: number, page: PageGeometry): Part[] {
  const place = line.places[at] ?? atom.box
  const baseline = hangs(atom.style) ? line.baseline : atom.baseline
  if (!atom.words || atom.words.length < 2 || place[0] !== atom.box[0] || place[2] !== atom.box[2]) return [{ atom, place, baseline }]
  return atom.words.map((index) => {
    const own = wordsAtom(page, [index])
    return { atom: own, place: own.box, baseline: page.words[index]?.raised || hangs(own.style) ? baseline : own.baseline }
  })
}
