import { centerX, centerY, contains, coverage, height, overlapX, overlapY } from '../../../geometry/box.ts'
import type { FormField } from '../../../schema/text-layer.ts'
import type { Atom, PageGeometry } from '../page-geometry.ts'

/** What is written on the page in a field's box. */
export interface ShownValue {
  readonly words: ReadonlySet<number>
  /** Regions of the picture that lie in the box. */
  readonly regions: ReadonlySet<number>
  /** The page's own words say the value. */
  readonly isPrinted: boolean
  /** Writing of the picture reaches into the box, and it is not all in it: reading it gives the value with its surroundings. */
  readonly isPictured: boolean
}

export function shownValue(field: FormField, page: PageGeometry): ShownValue {
  const inside: number[] = []
  const regions = new Set<number>()
  let isPictured = false
  for (const atom of page.atoms) {
    if (overlapX(atom.box, field.box) <= 0 || overlapY(atom.box, field.box) <= 0) continue
    for (const word of atom.words ?? []) {
      const box = page.words[word]?.box
      if (box && contains(field.box, centerX(box), centerY(box))) inside.push(word)
    }
    if (atom.region === undefined) continue
    if (coverage(atom.box, field.box) > 0.7) regions.add(atom.region)
    else if (reachesInto(atom, field)) isPictured = true
  }
  inside.sort((a, b) => a - b)
  const printed = bare(inside.map((i) => page.words[i]?.text ?? '').join(''))
  const isPrinted = printed.includes(bare(field.value))
  return { words: new Set(inside), regions, isPrinted, isPictured }
}

/** Over the beginning of a value rather than a label whose box is drawn a little wide. */
const reachesInto = ({ box }: Atom, field: FormField): boolean =>
  overlapX(box, field.box) > height(box) / 2 && overlapY(box, field.box) * 2 > Math.min(height(box), height(field.box))

/** Spaces and marks may be set otherwise than they were typed, in a comb of boxes or broken over lines. */
function bare(text: string): string {
  const characters = text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '')
  return characters === '' ? text.replace(/\s/gu, '') : characters
}
