import { unionAll } from '../../../../geometry/box.ts'
import type { Box } from '../../../../schema/geometry.ts'
import { isByModel } from '../../flow/draft.ts'
import { kindNames } from '../../kind-names.ts'
import type { AssembledBlock } from '../output-writer.ts'
import { type Content, childType, contentOf, formulaOf, type MineruPage, mergePrev, subTypeOf, type Unit } from './mineru-page.ts'

type Json = Record<string, unknown>

/** The list of one page in model.json: what was recognised on the page, before anything is joined. */
export function modelPage({ units, discarded }: MineruPage): Json[] {
  const entries = [
    ...units.map((unit) => ({ index: unit.index, json: unitEntries(unit) })),
    ...discarded.map(({ index, item }) => ({ index, json: [textEntry(item)] })),
  ]
  return entries.sort((a, b) => a.index - b.index).flatMap((entry) => entry.json)
}

function unitEntries(unit: Unit): Json[] {
  switch (unit.type) {
    case 'plain':
      return [textEntry(unit.item)]
    case 'list': {
      const items = unit.items.map((item) => entry(unit.subType, item, contentOf(item, 'before')?.text ?? ''))
      return [{ type: 'list', bbox: rounded(unionAll(unit.items.map((i) => i.draft.origin.box))), angle: 0, content: null }, ...items]
    }
    case 'visual': {
      const { kind } = unit.body.draft
      const said = contentOf(unit.body, 'before')
      const content = unit.visual === 'table' ? (said?.html ?? '') : unit.visual === 'code' ? (said?.text ?? '') : pictureSaid(unit.body, said)
      const body = { order: unit.body.draft.origin.order, json: entry(kind === 'algorithm' ? 'algorithm' : unit.visual, unit.body, content) }
      const children = unit.children.map((item) => ({
        order: item.draft.origin.order,
        json: entry(modelChildType(unit, item), item, contentOf(item, 'before')?.text ?? ''),
      }))
      return [body, ...children].sort((a, b) => a.order - b.order).map((e) => e.json)
    }
  }
}

/** Words that stand in a picture are none that a model said of it. */
const pictureSaid = ({ draft }: AssembledBlock, said: Content | undefined): string | null => (isByModel(draft.origin) ? said?.shown || null : null)

/** The model knows captions of images, tables and code, and notes of images and tables; a chart's are those of an image. */
function modelChildType({ visual }: Unit & { readonly type: 'visual' }, item: AssembledBlock): string {
  if (visual === 'chart') return childType('image', item)
  return visual === 'code' && item.draft.kind === 'footnote' ? 'page_footnote' : childType(visual, item)
}

function textEntry(item: AssembledBlock): Json {
  const { mineru } = kindNames[item.draft.kind]
  if (mineru === 'interline_equation') return entry('equation', item, formulaOf(item, 'before'))
  return entry(mineru, item, contentOf(item, 'before')?.text ?? '')
}

const entry = (type: string, item: AssembledBlock, content: string | null): Json => ({
  type,
  bbox: rounded(item.draft.origin.box),
  angle: item.draft.origin.angle,
  content,
  ...mergePrev(item),
  ...subTypeOf(item),
})

const rounded = (box: Box): number[] => box.map((v) => Math.round(v * 1000) / 1000)
