import type { InkMap } from './ink-map.ts'
import type { DrawnObjects, PageObjects, RuleStroke } from './page-objects.ts'

/**
 * What shows on the page: the objects, and those of optional content where the picture of the page has ink.
 * The engine draws layers by their default state but has no question for it.
 */
export function shownObjects(objects: PageObjects, ink: InkMap): DrawnObjects {
  const { optional } = objects
  const some = optional.paints.length + optional.strokes.length + optional.pictures.length + optional.rectangles.length + optional.shapes.length
  if (some === 0) return objects
  return {
    // Where there is doubt a paint must not make words vanish: it has no colour and is no picture.
    paints: [...objects.paints, ...optional.paints.map(({ z, box }) => ({ z, box }))].sort((a, b) => a.z - b.z),
    strokes: [...objects.strokes, ...optional.strokes.filter((stroke) => ink.hasInk(strokeBox(stroke)))],
    rectangles: [...objects.rectangles, ...optional.rectangles.filter(({ box }) => ink.hasInk(box))],
    pictures: [...objects.pictures, ...optional.pictures.filter(({ box }) => ink.hasInk(box))],
    shapes: [...objects.shapes, ...optional.shapes.filter((box) => ink.hasInk(box))],
  }
}

const strokeBox = ({ direction, at, from, to }: RuleStroke) => (direction === 'horizontal' ? ([from, at, to, at] as const) : ([at, from, at, to] as const))
