import { unionAll } from '../../../../geometry/box.ts'
import type { DocumentPage } from '../../../../schema/document.ts'
import { blockMarkdown } from '../markdown-block.ts'
import type { AssembledBlock } from '../output-writer.ts'
import { contentOf, formulaOf, imageOf, type MineruPage, subTypeOf, thousandths, typeOf, type Unit } from './mineru-page.ts'

type Json = Record<string, unknown>

/** The entries of one page in content_list.json: its content in reading order, then what MinerU discards. What was joined stands once, where it begins. */
export function contentList({ page, units, discarded }: MineruPage): Json[] {
  const entries = units.flatMap((unit) => {
    const entry = unitEntry(unit)
    return entry ? [{ ...entry, bbox: thousandths(boxOf(unit), page), page_idx: page.index }] : []
  })
  return [...entries, ...discarded.flatMap(({ item }) => discardedEntry(item, page))]
}

const boxOf = (unit: Unit) =>
  unit.type === 'list' ? unionAll(unit.items.map((i) => i.draft.origin.box)) : unit.type === 'visual' ? unit.body.draft.origin.box : unit.item.draft.origin.box

function discardedEntry(item: AssembledBlock, page: DocumentPage): Json[] {
  const content = contentOf(item, 'after')
  return content ? [{ type: typeOf(item), text: content.text, bbox: thousandths(item.draft.origin.box, page), page_idx: page.index }] : []
}

function unitEntry(unit: Unit): Json | undefined {
  if (unit.type === 'visual') return visualEntry(unit)
  if (unit.type === 'list') {
    const items = unit.items.flatMap((item) => contentOf(item, 'after')?.text ?? [])
    return items.length > 0 ? { type: 'list', sub_type: unit.subType, list_items: items } : undefined
  }
  const { item } = unit
  const content = contentOf(item, 'after')
  if (!content) return undefined
  if (typeOf(item) === 'interline_equation')
    return { type: 'equation', img_path: imageOf(item), text: `$$\n${formulaOf(item, 'after')}\n$$`, text_format: 'latex' }
  return { type: 'text', text: content.text, ...(typeOf(item) === 'title' ? { text_level: item.draft.level ?? 1 } : {}) }
}

function visualEntry({ visual, body, children }: Unit & { readonly type: 'visual' }): Json | undefined {
  const content = contentOf(body, 'after')
  if (!content) return undefined
  const texts = (kind: string) => children.filter((c) => c.draft.kind === kind).flatMap((c) => contentOf(c, 'after')?.text ?? [])
  const tied = { [`${visual}_caption`]: texts('caption'), [`${visual}_footnote`]: texts('footnote') }
  switch (visual) {
    case 'table':
      return { type: 'table', img_path: imageOf(body), ...tied, ...(content.html === '' ? {} : { table_body: content.html }) }
    case 'code':
      return {
        type: 'code',
        sub_type: body.draft.kind === 'algorithm' ? 'algorithm' : 'code',
        code_caption: texts('caption'),
        code_body: body.block ? blockMarkdown(body.block) : '',
      }
    default:
      return { type: visual, img_path: imageOf(body), content: content.shown, ...subTypeOf(body), ...tied }
  }
}
