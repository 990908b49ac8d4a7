import { unionAll } from '../../../../geometry/box.ts'
import { kindNames } from '../../kind-names.ts'
import type { AssembledBlock } from '../output-writer.ts'
import { contentOf, formulaOf, imageOf, type MineruPage, subTypeOf, thousandths, type Unit } from './mineru-page.ts'

type Json = Record<string, unknown>

/** The list of one page in content_list_v2.json. */
export function contentListV2({ page, units, discarded }: MineruPage): Json[] {
  const entries = units.flatMap((unit) => {
    const entry = unitEntry(unit)
    const box = unit.type === 'list' ? unionAll(unit.items.map((i) => i.draft.origin.box)) : (unit.type === 'visual' ? unit.body : unit.item).draft.origin.box
    return entry ? [{ ...entry, bbox: thousandths(box, page) }] : []
  })
  const apart = discarded.flatMap(({ item }) => {
    const content = contentOf(item, 'after')
    const type = kindNames[item.draft.kind].mineruContentV2
    return content ? [{ type, content: { [`${type}_content`]: inlineOf(item) }, bbox: thousandths(item.draft.origin.box, page) }] : []
  })
  return [...entries, ...apart]
}

const inline = (text: string): Json[] => [{ type: 'text', content: text }]
const inlineOf = (item: AssembledBlock): Json[] =>
  (contentOf(item, 'after')?.inlines ?? []).map(({ type, content }) => ({ type: type === 'formula' ? 'equation_inline' : 'text', content }))

function unitEntry(unit: Unit): Json | undefined {
  if (unit.type === 'visual') return visualEntry(unit)
  if (unit.type === 'list') {
    const items = unit.items.filter((item) => item.block).map((item) => ({ item_type: 'text', item_content: inlineOf(item) }))
    return items.length > 0
      ? { type: 'list', content: { list_type: unit.subType === 'ref_text' ? 'reference_list' : 'text_list', list_items: items } }
      : undefined
  }
  const { item } = unit
  if (!item.block) return undefined
  const type = kindNames[item.draft.kind].mineruContentV2
  switch (type) {
    case 'title':
      return { type, content: { title_content: inlineOf(item), level: item.draft.level ?? 1 } }
    case 'equation_interline':
      return { type, content: { math_content: formulaOf(item, 'after'), math_type: 'latex', image_source: { path: imageOf(item) } } }
    default:
      return { type: 'paragraph', content: { paragraph_content: inlineOf(item) } }
  }
}

function visualEntry({ visual, body, children }: Unit & { readonly type: 'visual' }): Json | undefined {
  const content = contentOf(body, 'after')
  if (!content) return undefined
  const type = kindNames[body.draft.kind].mineruContentV2
  const tied = (kind: string) => children.filter((c) => c.draft.kind === kind && c.block).flatMap(inlineOf)
  const notes = { [`${type}_caption`]: tied('caption'), [`${type}_footnote`]: tied('footnote') }
  switch (visual) {
    case 'table': {
      const spans = body.block?.table?.cells.some((cell) => cell.rowSpan > 1 || cell.columnSpan > 1)
      const table_type = spans ? 'complex_table' : 'simple_table'
      return { type, content: { image_source: { path: imageOf(body) }, ...notes, html: content.html, table_type, table_nest_level: 1 } }
    }
    case 'code':
      return type === 'algorithm'
        ? { type, content: { algorithm_caption: tied('caption'), algorithm_content: inline(content.text) } }
        : { type, content: { code_caption: tied('caption'), code_content: inline(content.text), code_language: body.draft.origin.language ?? 'txt' } }
    default:
      return { type, content: { image_source: { path: imageOf(body) }, content: content.shown, ...notes }, ...subTypeOf(body) }
  }
}
