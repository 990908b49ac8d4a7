import { contains, coverage } from '../../../../geometry/box.ts'
import type { HiddenReason, PointBox, TextStyle } from '../../../../schema/text-layer.ts'
import type { Paint } from '../page-objects.ts'
import type { DraftWord } from './words.ts'

/** A reader cannot make out text of less than a point. */
const readablePt = 1
/** Colours that differ by less in every channel, 0..255, look the same. */
const sameColor = 10
/** More areas are not compared with each word. */
const maxPaints = 3000

export interface PageSurface {
  readonly width: number
  readonly height: number
  /** In drawing order. */
  readonly paints: readonly Paint[]
  readonly styles: readonly TextStyle[]
  /** Whether anything shows in a box. Asked only for words of layers that may be switched off. */
  readonly hasInk: (box: PointBox) => boolean
  /** Whether the picture of a paint hides what lies under it at a point: it may be transparent there. Asked only for words that it would cover. */
  readonly isOpaqueAt: (paint: Paint, x: number, y: number) => boolean
}

/** Why a reader of the displayed page cannot see the word; `undefined` when it can be seen, or when there is doubt. */
export function hiddenReason({ word, run }: DraftWord, page: PageSurface): HiddenReason | undefined {
  if (run.invisible) return 'invisible'
  const x = (word.box[0] + word.box[2]) / 2
  const y = (word.box[1] + word.box[3]) / 2
  if (x < 0 || y < 0 || x > page.width || y > page.height) return 'off-page'
  const style = page.styles[word.style]
  if (style && style.sizePt < readablePt) return 'tiny'
  if (run.optional && !page.hasInk(word.box)) return 'invisible'
  if (run.z < 0) return undefined
  let under: Paint | undefined
  const paints = page.paints.length > maxPaints ? page.paints.slice(0, maxPaints) : page.paints
  for (const paint of paints) {
    if (paint.z < run.z) {
      if (contains(paint.box, x, y)) under = paint
    } else if (coverage(word.box, paint.box) > 0.9 && covers(paint, page, x, y)) {
      return 'covered'
    }
  }
  const ground = under ? under.color : '#ffffff'
  return style && ground && isSameColor(style.color, ground) ? 'same-colour' : undefined
}

function covers(paint: Paint, page: PageSurface, x: number, y: number): boolean {
  if (paint.color !== undefined) return true
  return paint.picture !== undefined && page.isOpaqueAt(paint, x, y)
}

function isSameColor(a: string, b: string): boolean {
  const one = Number.parseInt(a.slice(1), 16)
  const other = Number.parseInt(b.slice(1), 16)
  for (const shift of [16, 8, 0]) if (Math.abs(((one >> shift) & 255) - ((other >> shift) & 255)) > sameColor) return false
  return true
}
