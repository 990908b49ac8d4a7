import { unionAll } from '../../../../geometry/box.ts'
import type { DocumentPage } from '../../../../schema/document.ts'
import type { AssembledBlock } from '../output-writer.ts'
import { type Content, childType, contentOf, formulaOf, imageOf, type MineruPage, mergePrev, pointBox, subTypeOf, typeOf, type Unit } from './mineru-page.ts'

type When = 'before' | 'after'
type Json = Record<string, unknown>

/** One entry of `pdf_info` in middle.json. `preproc_blocks` say what the page says, `para_blocks` what the document makes of it. */
export function middlePage({ page, units, discarded }: MineruPage): Json {
  return {
    preproc_blocks: units.map((unit) => unitBlock(unit, page, 'before')),
    page_idx: page.index,
    page_size: [Math.trunc(page.width), Math.trunc(page.height)],
    discarded_blocks: discarded.map(({ item, index }) => textBlock(item, page, 'after', index)),
    para_blocks: units.map((unit) => unitBlock(unit, page, 'after')),
  }
}

function unitBlock(unit: Unit, page: DocumentPage, when: When): Json {
  switch (unit.type) {
    case 'plain':
      return typeOf(unit.item) === 'interline_equation' ? formulaBlock(unit.item, page, when, unit.index) : textBlock(unit.item, page, when, unit.index)
    case 'list': {
      const box = unionAll(unit.items.map((item) => item.draft.origin.box))
      const blocks = unit.items.map((item, i) => textBlock(item, page, when, unit.index + i, unit.subType))
      return { type: 'list', bbox: pointBox(box, page), angle: 0, index: unit.index, blocks, sub_type: unit.subType }
    }
    case 'visual': {
      const children = unit.children.map((item, i) => ({
        order: item.draft.origin.order,
        block: textBlock(item, page, when, unit.index + i, childType(unit.visual, item)),
      }))
      const all = [{ order: unit.body.draft.origin.order, block: bodyBlock(unit, page, when) }, ...children].sort((a, b) => a.order - b.order)
      const { kind, origin } = unit.body.draft
      return {
        type: unit.visual,
        bbox: pointBox(origin.box, page),
        blocks: all.map(({ block }) => block),
        index: unit.index,
        ...(unit.visual === 'code' ? { sub_type: kind === 'algorithm' ? 'algorithm' : 'code', guess_lang: origin.language ?? 'txt' } : subTypeOf(unit.body)),
      }
    }
  }
}

function textBlock(item: AssembledBlock, page: DocumentPage, when: When, index: number, type = typeOf(item)): Json {
  const { draft } = item
  const bbox = pointBox(draft.origin.box, page)
  const content = contentOf(item, when)
  const base = { type, bbox, angle: draft.origin.angle, index, ...(type === 'title' ? { level: draft.level ?? 1 } : {}), ...mergePrev(item) }
  if (!content) return { ...base, lines: [], lines_deleted: true }
  const crossPage = when === 'after' && draft.parts.some((part) => part.page !== page.index) ? { cross_page: true } : {}
  const spans = content.inlines.map((part) => ({ bbox, type: part.type === 'formula' ? 'inline_equation' : 'text', content: part.content, ...crossPage }))
  return { ...base, lines: [{ bbox, spans }] }
}

function formulaBlock(item: AssembledBlock, page: DocumentPage, when: When, index: number): Json {
  const bbox = pointBox(item.draft.origin.box, page)
  const span = { bbox, type: 'interline_equation', content: formulaOf(item, when), image_path: imageOf(item) }
  return { type: 'interline_equation', bbox, angle: item.draft.origin.angle, index, lines: [{ bbox, spans: [span] }] }
}

function bodyBlock({ visual, body, index }: Unit & { readonly type: 'visual' }, page: DocumentPage, when: When): Json {
  const bbox = pointBox(body.draft.origin.box, page)
  const base = { type: `${visual}_body`, bbox, angle: body.draft.origin.angle, index }
  const content = contentOf(body, when)
  if (!content) return { ...base, lines: [], lines_deleted: true }
  const crossPage = when === 'after' && body.draft.parts.some((part) => part.page !== page.index) ? { cross_page: true } : {}
  return { ...base, lines: [{ bbox, spans: [{ bbox, ...bodySpan(visual, body, content), ...crossPage }] }] }
}

function bodySpan(visual: string, body: AssembledBlock, content: Content): Json {
  if (visual === 'table') return { type: 'table', html: content.html, image_path: imageOf(body) }
  if (visual === 'code') return { type: 'text', content: content.text }
  return { type: visual, image_path: imageOf(body), ...(content.shown === '' ? {} : { content: content.shown }) }
}
