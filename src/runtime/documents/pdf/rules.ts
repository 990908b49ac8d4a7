import { contains } from '../../../geometry/box.ts'
import type { Fill, Rule } from '../../../schema/text-layer.ts'
import type { DrawnObjects, RuleStroke } from './page-objects.ts'

const maxRules = 10_000
const maxFills = 10_000
/** Pieces of one line lie on one axis within this, and touch within the other, in points. */
const sameAxis = 0.6
const touching = 1
/** Shorter lines are dots, ticks and parts of glyphs. */
const shortest = 3

const round = (value: number): number => Math.round(value * 100) / 100

/** The ruling lines of a page: visible ones, pieces that touch joined. Horizontal before vertical, then by place. */
export function pageRules(objects: DrawnObjects): Rule[] {
  const visible = objects.strokes.filter((stroke) => isVisible(stroke, objects))
  const rules = [...join(visible.filter((s) => s.direction === 'horizontal')), ...join(visible.filter((s) => s.direction === 'vertical'))]
  return rules.filter((rule) => rule.to - rule.from >= shortest).slice(0, maxRules)
}

/** White lines part coloured areas; on white paper they are nothing. */
function isVisible(stroke: RuleStroke, objects: DrawnObjects): boolean {
  if (stroke.color !== '#ffffff') return true
  const middle = (stroke.from + stroke.to) / 2
  const [x, y] = stroke.direction === 'horizontal' ? [middle, stroke.at] : [stroke.at, middle]
  let ground: string | undefined = '#ffffff'
  for (const paint of objects.paints) {
    if (paint.z >= stroke.z) break
    if (contains(paint.box, x, y)) ground = paint.color
  }
  return ground !== '#ffffff'
}

function join(strokes: RuleStroke[]): Rule[] {
  strokes.sort((a, b) => a.at - b.at || a.from - b.from)
  const rules: Rule[] = []
  let start = 0
  for (let i = 1; i <= strokes.length; i++) {
    const here = strokes[i]
    const before = strokes[i - 1]
    if (here && before && here.at - before.at <= sameAxis) continue
    rules.push(...joinAxis(strokes.slice(start, i)))
    start = i
  }
  return rules
}

function joinAxis(strokes: RuleStroke[]): Rule[] {
  strokes.sort((a, b) => a.from - b.from)
  const rules: Rule[] = []
  let open: { at: number; from: number; to: number; thickness: number } | undefined
  const close = () => {
    const [head] = strokes
    if (open && head)
      rules.push({ direction: head.direction, at: round(open.at), from: round(open.from), to: round(open.to), thickness: round(open.thickness) })
  }
  for (const { at, from, to, thickness } of strokes) {
    if (open && from <= open.to + touching) {
      // The longer piece gives the place.
      if (to - from > open.to - open.from) open.at = at
      open.to = Math.max(open.to, to)
      open.thickness = Math.max(open.thickness, thickness)
    } else {
      close()
      open = { at, from, to, thickness }
    }
  }
  close()
  return rules
}

/** Filled and outlined rectangles, one for those that are drawn twice at one place (filled, then outlined). */
export function pageFills(objects: DrawnObjects): Fill[] {
  const fills = new Map<string, Fill>()
  for (const { box, color, stroked } of objects.rectangles) {
    const [x0, y0, x1, y1] = box
    const key = `${Math.round(x0)} ${Math.round(y0)} ${Math.round(x1)} ${Math.round(y1)}`
    const before = fills.get(key)
    if (!before && fills.size >= maxFills) continue
    const shown = color ?? before?.color
    const outlined = stroked || (before?.stroked ?? false)
    const rounded = [round(x0), round(y0), round(x1), round(y1)] as const
    fills.set(key, shown === undefined ? { box: rounded, stroked: outlined } : { box: rounded, color: shown, stroked: outlined })
  }
  return [...fills.values()]
}
