import { turnBox, turnPoint, turnSize } from '../geometry/turn.ts'
import type { QuarterTurn } from '../schema/geometry.ts'
import type { PointBox, Rule, TextLayer, TextLine, Word } from '../schema/text-layer.ts'

/** The layer of the page turned clockwise: every box, baseline and direction in the frame of the turned page. */
export function turnTextLayer(layer: TextLayer, turn: QuarterTurn): TextLayer {
  if (turn === 0) return layer
  const { width, height } = layer
  const box = (b: PointBox): PointBox => turnBox(b, width, height, turn) as PointBox
  const boxed = <T extends { readonly box: PointBox }>(items: readonly T[]): T[] => items.map((item) => ({ ...item, box: box(item.box) }))
  return {
    ...layer,
    ...turnSize(width, height, turn),
    words: layer.words.map((word) => turnWord(word, box(word.box), width, height, turn)),
    lines: layer.lines.map((line) => turnLine(line, box(line.box), width, height, turn)),
    rules: layer.rules.map((rule) => turnRule(rule, width, height, turn)),
    fills: boxed(layer.fills),
    pictures: boxed(layer.pictures),
    drawings: layer.drawings.map(box),
    links: boxed(layer.links),
    fields: boxed(layer.fields),
  }
}

/**
 * Positions along and across the reading direction keep their distances; only the page's origin moves
 * against them, by its own place along and across the turned direction.
 */
function shifts(
  item: { readonly angle: number; readonly vertical?: true },
  width: number,
  height: number,
  turn: QuarterTurn,
): { angle: number; along: number; across: number } {
  const angle = (item.angle + turn) % 360
  const radians = ((item.vertical ? angle + 90 : angle) * Math.PI) / 180
  const [x, y] = turnPoint(0, 0, width, height, turn)
  const cos = Math.cos(radians)
  const sin = Math.sin(radians)
  return { angle, along: x * cos + y * sin, across: y * cos - x * sin }
}

const round = (value: number): number => Math.round(value * 100) / 100

function turnWord(word: Word, box: PointBox, width: number, height: number, turn: QuarterTurn): Word {
  const { angle, along, across } = shifts(word, width, height, turn)
  return { ...word, box, angle, baseline: round(word.baseline + across), edges: Float32Array.from(word.edges, (edge) => edge + along) }
}

function turnLine(line: TextLine, box: PointBox, width: number, height: number, turn: QuarterTurn): TextLine {
  const { angle, across } = shifts(line, width, height, turn)
  return { ...line, box, angle, baseline: round(line.baseline + across) }
}

function turnRule(rule: Rule, width: number, height: number, turn: QuarterTurn): Rule {
  const box: PointBox = rule.direction === 'horizontal' ? [rule.from, rule.at, rule.to, rule.at] : [rule.at, rule.from, rule.at, rule.to]
  const [x0, y0, x1, y1] = turnBox(box, width, height, turn)
  const horizontal = (rule.direction === 'horizontal') === (turn === 180)
  return horizontal ? { ...rule, direction: 'horizontal', at: y0, from: x0, to: x1 } : { ...rule, direction: 'vertical', at: x0, from: y0, to: y1 }
}
