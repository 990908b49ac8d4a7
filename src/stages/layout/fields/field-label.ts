import { centerX, centerY, height, overlapY } from '../../../geometry/box.ts'
import type { FormField, PointBox } from '../../../schema/text-layer.ts'
import type { Frame } from '../frame.ts'
import type { Atom, PageGeometry } from '../page-geometry.ts'

/** What a form field is called, and the printed words that say so; none when its name is all there is. */
export interface FieldLabel {
  readonly text: string
  readonly words: readonly number[]
}

/** A longer text that ends in a colon is a sentence that introduces something. */
const maxChars = 60
/** White between a label and its field, in sizes of its type: beyond it they are in different columns. */
const maxGapEm = 20
const colon = /[:：]$/u

/** The printed label on the field's line or right above it, else the name that the form gives the field. */
export function fieldLabel(field: FormField, page: PageGeometry, frame: Frame): FieldLabel {
  const box = frame.box(field.box)
  const printed = labelBeside(box, page, frame) ?? labelAbove(box, page, frame)
  return printed ?? { text: (field.label ?? field.name).trim(), words: [] }
}

function labelBeside(box: PointBox, page: PageGeometry, frame: Frame): FieldLabel | undefined {
  let best: Atom | undefined
  let nearest = Infinity
  for (const atom of page.atoms) {
    const at = frame.box(atom.box)
    // A field of several lines has its label beside the first.
    const firstLine: PointBox = [box[0], box[1], box[2], Math.min(box[3], box[1] + 2 * height(at))]
    if (at[0] >= box[0] || overlapY(at, firstLine) * 2 < Math.min(height(at), height(firstLine))) continue
    const gap = Math.max(0, box[0] - at[2])
    if (gap > maxGapEm * atom.sizePt || gap >= nearest) continue
    best = atom
    nearest = gap
  }
  if (!best) return undefined
  const label = lastLabel(
    (best.words ?? []).filter((i) => centerX(frame.box(page.words[i]?.box ?? box)) < box[0]),
    page,
  )
  return label && !isBehindAnother(box, label, page, frame) ? label : undefined
}

/** A line may hold several fields: the label is what follows the colon or the dotted line before it. */
function lastLabel(words: readonly number[], page: PageGeometry): FieldLabel | undefined {
  let from = words.length
  while (from > 0) {
    const text = page.words[words[from - 1] ?? -1]?.text ?? ''
    if (from < words.length && (colon.test(text) || !/[\p{L}\p{N}]/u.test(text))) break
    from--
  }
  const own = words.slice(from)
  return labelOf(own, own.map((i) => page.words[i]?.text ?? '').join(' '))
}

/** Another field stands between the words and this one: they are that one's label. */
function isBehindAnother(box: PointBox, label: FieldLabel, page: PageGeometry, frame: Frame): boolean {
  const ends = Math.max(...label.words.map((i) => frame.box(page.words[i]?.box ?? box)[2]))
  return page.fields.some((other) => {
    const at = frame.box(other.box)
    const x = centerX(at)
    return x > ends && x < box[0] && overlapY(at, box) * 2 > Math.min(height(at), height(box))
  })
}

function labelAbove(box: PointBox, page: PageGeometry, frame: Frame): FieldLabel | undefined {
  for (const atom of page.atoms) {
    const at = frame.box(atom.box)
    const white = box[1] - at[3]
    const em = atom.sizePt
    if (centerY(at) >= box[1] || white > em || Math.abs(at[0] - box[0]) > 2 * em) continue
    const label = labelOf(atom.words ?? [], atom.text)
    if (label) return label
  }
  return undefined
}

function labelOf(words: readonly number[], text: string): FieldLabel | undefined {
  const isLabel = text.length <= maxChars && colon.test(text) && /\p{L}/u.test(text)
  return isLabel ? { text: text.replace(colon, '').trim(), words } : undefined
}
