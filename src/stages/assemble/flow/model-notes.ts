import { overlapX } from '../../../geometry/box.ts'
import { furnitureKinds } from '../../../schema/block-kind.ts'
import { type Draft, isHidden } from './draft.ts'
import { captioned, gap, maxDistance } from './tie-captions.ts'

/**
 * Ties the notes that a model found at a picture, table or code to the nearest one before them: never to one that comes later, and not over a block that
 * stands between the two.
 */
export function tieModelNotes(drafts: readonly Draft[]): void {
  const shown = drafts.filter((d) => !isHidden(d) && !furnitureKinds.has(d.kind))
  for (const [i, note] of shown.entries()) {
    if (note.kind !== 'footnote' || note.origin.noteOf !== 'body' || note.parent !== undefined) continue
    let nearest = maxDistance
    for (const [j, body] of shown.slice(0, i).entries()) {
      if (!captioned.has(body.kind) || body.kind === 'formula') continue
      const distance = gap(body.origin.box, note.origin.box)
      if (distance >= nearest || shown.slice(j + 1, i).some((between) => parts(between, body, note))) continue
      nearest = distance
      note.parent = body.origin.id
    }
  }
}

/** Whether a block stands in the white between the two. */
function parts(between: Draft, body: Draft, note: Draft): boolean {
  if (between.kind === 'caption' || between.kind === 'footnote') return false
  const { box } = between.origin
  const [above, below] = [body.origin.box[3], note.origin.box[1]]
  return box[3] > above && box[1] < below && overlapX(box, body.origin.box) > 0 && overlapX(box, note.origin.box) > 0
}
