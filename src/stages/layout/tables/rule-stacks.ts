import type { PointBox } from '../../../schema/text-layer.ts'
import { median } from './column-gaps.ts'
import type { Segment, Segments } from './segments.ts'
import type { TableView, ViewAtom } from './table-view.ts'

/** A part of the page between the first and the last of some ruling lines of one length that lie over each other. */
export interface RuleStack {
  readonly box: PointBox
  readonly rules: readonly Segment[]
}

/** Shorter lines are spanners inside a header, or underlines. */
const shortestShare = 0.12
const sameEnd = 6
/** More lines than this are a drawing. */
const mostRules = 2000
/** Two lines alone, further apart than this share of the page, end its head and begin its foot. */
const tallestPair = 0.5
/** Lines of running text fill this share of the width between two rules. */
const fullLine = 0.72

/**
 * Stacks of horizontal lines with writing between them that is not running text: tables ruled above, below the header and
 * at the end, and rows painted in turn. The lines of running heads, footnotes and boxes fall out because of what they enclose.
 */
export function ruleStacks(view: TableView, horizontal: readonly Segment[], used: ReadonlySet<number>): RuleStack[] {
  const stacks: Segment[][] = []
  const long = horizontal.filter((rule) => rule.to - rule.from >= view.width * shortestShare).slice(0, mostRules)
  for (const rule of long.sort((a, b) => a.at - b.at)) {
    const stack = stacks.find((s) => s[0] && Math.abs(s[0].from - rule.from) < sameEnd && Math.abs(s[0].to - rule.to) < sameEnd)
    if (stack) stack.push(rule)
    else stacks.push([rule])
  }
  const free = view.atoms.filter((atom) => atom.own && !used.has(atom.index))
  return stacks
    .filter((stack) => stack.length >= 2)
    .flatMap((stack) => chains(stack, free))
    .filter(({ box, rules }) => distinct(rules) > 2 || box[3] - box[1] < view.height * tallestPair)
}

/** Doubled lines count once. */
const distinct = (rules: readonly Segment[]): number => rules.filter((rule, i) => i === 0 || rule.at - (rules[i - 1]?.at ?? 0) > 6).length

/** Cuts a stack where running text or much white stands between two of its lines. */
function chains(stack: readonly Segment[], atoms: readonly ViewAtom[]): RuleStack[] {
  const from = Math.min(...stack.map((s) => s.from))
  const to = Math.max(...stack.map((s) => s.to))
  const found: RuleStack[] = []
  let open: Segment[] = []
  let hasCells = false
  const close = () => {
    const [first, last] = [open[0], open.at(-1)]
    if (hasCells && first && last) found.push({ box: [from, first.at, to, last.at], rules: open })
    open = []
    hasCells = false
  }
  for (const [i, rule] of stack.entries()) {
    const before = stack[i - 1]
    if (before) {
      const content = contentBetween(atoms, from, before.at, to, rule.at)
      if (content === 'text') close()
      // A caption or a heading between two lines begins nothing, but may stand inside.
      else if (content === 'heading' && !hasCells) open = []
      else if (content === 'cells') hasCells = true
    }
    open.push(rule)
  }
  close()
  return found.map((chain) => withUnpaintedRows(trimTail(chain, atoms), atoms))
}

/** What stands between two lines: cells side by side, running text, a heading alone, or nothing. */
function contentBetween(atoms: readonly ViewAtom[], x0: number, y0: number, x1: number, y1: number): 'cells' | 'text' | 'heading' | 'nothing' {
  if (y1 - y0 < 2) return 'nothing'
  const inside = atoms.filter((a) => {
    const y = (a.box[1] + a.box[3]) / 2
    return y > y0 && y < y1 && a.box[2] > x0 - 2 && a.box[0] < x1 + 2
  })
  if (inside.length === 0) return y1 - y0 > 40 ? 'text' : 'nothing'
  let full = 0
  let alone = 0
  let rows = 0
  inside.sort((a, b) => a.baseline - b.baseline)
  for (let i = 0; i < inside.length; ) {
    const first = inside[i]
    let next = i + 1
    while (next < inside.length && first && (inside[next]?.baseline ?? 0) - first.baseline < 0.5 * first.sizePt) next++
    rows++
    if (next - i === 1) alone++
    if (inside.slice(i, next).some((a) => a.box[2] - a.box[0] > fullLine * (x1 - x0))) full++
    i = next
  }
  if (full >= 2 && full * 2 >= rows) return 'text'
  if (alone < rows) return 'cells'
  // A heading inside a table fills its row; one with white around it stands between two tables.
  return y1 - y0 > rows * 2.6 * (inside[0]?.sizePt ?? 10) ? 'text' : 'heading'
}

/** Lines below the last cells enclose nothing. */
function trimTail(stack: RuleStack, atoms: readonly ViewAtom[]): RuleStack {
  let rules = stack.rules
  const [x0, , x1] = stack.box
  while (rules.length > 2) {
    const [above, last] = [rules.at(-2), rules.at(-1)]
    if (!above || !last || contentBetween(atoms, x0, above.at, x1, last.at) !== 'nothing') break
    rules = rules.slice(0, -1)
  }
  return { box: [x0, rules[0]?.at ?? 0, x1, rules.at(-1)?.at ?? 0], rules }
}

/** Where the last line is only the edge of paint, one more row may follow that is not painted; so above the first. */
function withUnpaintedRows(stack: RuleStack, atoms: readonly ViewAtom[]): RuleStack {
  const { rules } = stack
  const [x0, y0, x1, y1] = stack.box
  if (rules.length < 3) return stack
  const heights = rules.slice(1).map((rule, i) => rule.at - (rules[i]?.at ?? 0))
  const height = median(heights)
  const top = rules[0]?.soft && contentBetween(atoms, x0, y0 - height, x1, y0) === 'cells' ? y0 - height : y0
  const bottom = rules.at(-1)?.soft && contentBetween(atoms, x0, y1, x1, y1 + height) === 'cells' ? y1 + height : y1
  return { rules, box: [x0, top, x1, bottom] }
}

/** Parts of the page between upright lines of one length side by side: tables ruled between columns only. */
export function uprightStacks({ horizontal, vertical }: Segments): PointBox[] {
  const stacks: Segment[][] = []
  for (const line of vertical.slice(0, mostRules).sort((a, b) => a.at - b.at)) {
    // Lines that others meet are sides of boxes.
    const meets = (h: Segment) => line.at > h.from - 3 && line.at < h.to + 3 && h.at > line.from - 3 && h.at < line.to + 3
    if (line.soft || line.to - line.from < 24 || horizontal.some(meets)) continue
    const stack = stacks.find((s) => s[0] && Math.abs(s[0].from - line.from) < sameEnd && Math.abs(s[0].to - line.to) < sameEnd)
    if (stack) stack.push(line)
    else stacks.push([line])
  }
  return stacks
    .filter((stack) => stack.length >= 3)
    .map((stack) => [stack[0]?.at ?? 0, Math.min(...stack.map((s) => s.from)), stack.at(-1)?.at ?? 0, Math.max(...stack.map((s) => s.to))])
}
