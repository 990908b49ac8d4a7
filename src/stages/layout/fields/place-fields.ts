import { area, centerX, centerY, contains, height, overlapX, overlapY } from '../../../geometry/box.ts'
import { type BlockKind, furnitureKinds } from '../../../schema/block-kind.ts'
import type { FormField, PointBox } from '../../../schema/text-layer.ts'
import type { DraftBlock } from '../draft-block.ts'
import type { Frame } from '../frame.ts'
import type { Atom, PageGeometry } from '../page-geometry.ts'
import { type FieldLabel, fieldLabel } from './field-label.ts'
import { type ShownValue, shownValue } from './shown-value.ts'

/** Each field is compared with all that stands on the page: no form needs more, and it bounds the work. */
const maxFields = 2000

/**
 * Adds a block `Label: value` for each filled field of a form, after the block that it belongs to; a note without a
 * label is a block of text. The appearance of a field is not part of the page's own text, so its value would be lost. Where the page prints the value itself,
 * the block that holds it becomes the field's.
 */
export function placeFields(drafts: readonly DraftBlock[], page: PageGeometry, frame: Frame): DraftBlock[] {
  const filled = page.fields.filter((field) => isFilled(field, page)).slice(0, maxFields)
  if (filled.length === 0) return [...drafts]
  const after = new Map<DraftBlock | undefined, DraftBlock[]>()
  for (const field of inRows(filled, frame)) {
    const label = fieldLabel(field, page, frame)
    const content = label.text === '' ? field.value.trim() : `${label.text}: ${field.value.trim()}`
    const shown = shownValue(field, page)
    if (takeOver(drafts, field, shown, label, content)) continue
    const box = frame.box(field.box)
    const place = placeOf(box, label, drafts)
    const waiting = after.get(place)
    const draft = fieldDraft(field, box, content, field.kind === 'note' && label.text === '' ? 'text' : 'form_field')
    if (waiting) waiting.push(draft)
    else after.set(place, [draft])
  }
  // What has nothing before it follows the header.
  const head = drafts.findIndex((draft) => !furnitureKinds.has(draft.kind))
  const top = head < 0 ? drafts.length : head
  const placed = (some: readonly DraftBlock[]) => some.flatMap((draft) => [draft, ...(after.get(draft) ?? [])])
  return [...placed(drafts.slice(0, top)), ...(after.get(undefined) ?? []), ...placed(drafts.slice(top))]
}

const isMark = ({ kind }: FormField): boolean => kind === 'checkbox' || kind === 'radio'

function isFilled(field: FormField, page: PageGeometry): boolean {
  const { box, kind, value } = field
  const isOnPage = area(box) > 0 && contains([0, 0, page.width, page.height], centerX(box), centerY(box))
  if (!isOnPage || value.trim() === '') return false
  return isMark(field) ? value !== 'off' : kind === 'text' || kind === 'choice' || kind === 'note'
}

/** Rows from top to bottom, each from left to right. */
function inRows(fields: readonly FormField[], frame: Frame): FormField[] {
  const sorted = fields.map((field) => ({ field, box: frame.box(field.box) })).sort((a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0])
  const rows: (typeof sorted)[] = []
  for (const item of sorted) {
    const first = rows.at(-1)?.[0]
    if (first && overlapY(first.box, item.box) * 2 > Math.min(height(first.box), height(item.box))) rows.at(-1)?.push(item)
    else rows.push([item])
  }
  return rows.flatMap((row) => row.sort((a, b) => a.box[0] - b.box[0]).map(({ field }) => field))
}

/** Grids and pictures stay what they are, whatever is typed into them. */
const keepsKind = (kind: BlockKind): boolean => furnitureKinds.has(kind) || kind === 'table' || kind === 'figure' || kind === 'chart'

/** Gives the field the block that shows its value. False when nothing on the page says the value. */
function takeOver(drafts: readonly DraftBlock[], field: FormField, shown: ShownValue, label: FieldLabel, content: string): boolean {
  const labels = new Set(label.words)
  const isInside = ({ words, region }: Atom) => (region === undefined ? (words ?? []).every((i) => shown.words.has(i)) : shown.regions.has(region))
  const isOwn = (atom: Atom) => isInside(atom) || (atom.words?.every((i) => shown.words.has(i) || labels.has(i)) ?? false)
  // A mark does not say which of the states it stands for, nor what a picture shows: the block says it.
  const isSaid = shown.isPrinted && !isMark(field)
  for (const draft of drafts) {
    if (keepsKind(draft.kind)) continue
    const atoms = draft.lines.flatMap((line) => line.atoms)
    if (atoms.length === 0 || !(isSaid ? atoms.every(isOwn) && atoms.some((a) => a.words?.some((i) => shown.words.has(i))) : isMarkOf(atoms, field, isInside)))
      continue
    becomeField(draft)
    if (!isSaid) draft.content = content
    return true
  }
  return isSaid || (!isMark(field) && (shown.isPictured || shown.regions.size > 0))
}

/** The whole block is the drawn mark, or the picture of the value. */
const isMarkOf = (atoms: readonly Atom[], field: FormField, isInside: (atom: Atom) => boolean): boolean =>
  atoms.every(isInside) && (isMark(field) || atoms.every((atom) => atom.region !== undefined))

function becomeField(draft: DraftBlock): void {
  draft.kind = 'form_field'
  delete draft.level
  delete draft.marker
  delete draft.depth
  delete draft.parent
}

const fieldDraft = (field: FormField, box: PointBox, content: string, kind: 'form_field' | 'text'): DraftBlock => ({
  kind,
  lines: [],
  box,
  column: box,
  whiteAbove: Infinity,
  whiteBelow: Infinity,
  endsColumn: false,
  area: field.box,
  content,
  flags: [],
})

/**
 * The block that a field follows: the one with its label, the one around it, the nearest to its left in the same
 * column, the nearest above in it, and last the one that begins before it.
 */
function placeOf(box: PointBox, label: FieldLabel, drafts: readonly DraftBlock[]): DraftBlock | undefined {
  const [first] = label.words
  const labelled = first === undefined ? undefined : drafts.find((draft) => holdsWord(draft, first))
  if (labelled) return labelled
  const around = drafts.filter((d) => contains(d.box, centerX(box), centerY(box))).sort((a, b) => area(a.box) - area(b.box))[0]
  if (around) return around
  const body = drafts.filter((draft) => !furnitureKinds.has(draft.kind) && draft.box[1] < box[3])
  const isLevel = (d: DraftBlock) => d.box[0] < box[0] && overlapY(d.box, box) * 2 > Math.min(height(d.box), height(box))
  const beside = body.filter((d) => isLevel(d) && d.column[2] > centerX(box)).sort((a, b) => b.box[2] - a.box[2])[0]
  const above = body.filter((d) => d.box[1] < box[1] && overlapX(d.column, box) > 0).sort((a, b) => b.box[3] - a.box[3])[0]
  return beside ?? above ?? body.findLast((d) => isLevel(d) || d.box[1] < box[1])
}

function holdsWord(draft: DraftBlock, word: number): boolean {
  const has = (words: readonly number[] | undefined) => words?.includes(word) ?? false
  return (
    draft.lines.some((line) => line.atoms.some((atom) => has(atom.words))) ||
    (draft.labels?.some((atom) => has(atom.words)) ?? false) ||
    (draft.table?.cells.some((cell) => cell.lines.some((line) => has(line.words))) ?? false)
  )
}
