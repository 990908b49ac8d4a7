import type { BlockKind } from '../../../../schema/block-kind.ts'
import type { DocumentPage } from '../../../../schema/document.ts'
import type { Box } from '../../../../schema/geometry.ts'
import { mapCellFormulas } from '../../../table-markdown.ts'
import { isByModel, isHidden } from '../../flow/draft.ts'
import { kindNames } from '../../kind-names.ts'
import { pictureContent } from '../markdown-block.ts'
import type { AssembledBlock } from '../output-writer.ts'
import { type Inline, inlines, inlineText } from './mineru-inline.ts'

/** MinerU's blocks with a body, captions and notes. */
export type VisualType = 'image' | 'chart' | 'table' | 'code'

/** What MinerU makes one block of. `index` counts in reading order within the page. */
export type Unit =
  | { readonly type: 'plain'; readonly index: number; readonly item: AssembledBlock }
  | { readonly type: 'list'; readonly index: number; readonly subType: 'text' | 'ref_text'; readonly items: AssembledBlock[] }
  | { readonly type: 'visual'; readonly index: number; readonly visual: VisualType; readonly body: AssembledBlock; readonly children: AssembledBlock[] }

/** One page as MinerU sees it. Hidden text is nowhere in it. */
export interface MineruPage {
  readonly page: DocumentPage
  readonly items: readonly AssembledBlock[]
  readonly units: readonly Unit[]
  /** Furniture and notes of the page, which MinerU sets apart. */
  readonly discarded: readonly { readonly index: number; readonly item: AssembledBlock }[]
}

const visualTypes: Readonly<Record<string, VisualType>> = { image: 'image', chart: 'chart', table: 'table', code: 'code' }
const discardedTypes: ReadonlySet<string> = new Set(['header', 'footer', 'page_number', 'aside_text', 'page_footnote'])

export function mineruPage(page: DocumentPage, all: readonly AssembledBlock[]): MineruPage {
  const items = all.filter((item) => !isHidden(item.draft))
  const visuals = new Set(items.filter((item) => visualTypes[typeOf(item)]).map((item) => item.draft.origin.id))
  const childrenOf = new Map<string, AssembledBlock[]>()
  for (const item of items) {
    const { parent } = item.draft
    if (parent !== undefined && isChild(item, visuals)) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), item])
  }
  const units: Unit[] = []
  const discarded: { index: number; item: AssembledBlock }[] = []
  items.forEach((item, index) => {
    if (isChild(item, visuals)) return
    const type = typeOf(item)
    const visual = visualTypes[type]
    const last = units.at(-1)
    if (discardedTypes.has(type)) discarded.push({ index, item })
    else if (visual) units.push({ type: 'visual', index, visual, body: item, children: childrenOf.get(item.draft.origin.id) ?? [] })
    else if (type !== 'list') units.push({ type: 'plain', index, item })
    else {
      const subType = item.draft.kind === 'reference' ? 'ref_text' : 'text'
      if (last?.type === 'list' && last.subType === subType) last.items.push(item)
      else units.push({ type: 'list', index, subType, items: [item] })
    }
  })
  return { page, items, units, discarded }
}

/** MinerU's type of a block that is no child of another. */
export const typeOf = (item: AssembledBlock): string => kindNames[item.draft.kind].mineru

const isChild = ({ draft }: AssembledBlock, visuals: ReadonlySet<string>): boolean =>
  (draft.kind === 'caption' || draft.kind === 'footnote') && draft.parent !== undefined && visuals.has(draft.parent)

/** Name of a caption or note of a visual block. */
export const childType = (visual: VisualType, { draft }: AssembledBlock): string => `${visual}_${draft.kind === 'caption' ? 'caption' : 'footnote'}`

/** What a block says: before joining as its page says it, after joining as the document does; `undefined` when another block took it over. */
export interface Content {
  /** Formulas between dollar signs. */
  readonly text: string
  readonly inlines: readonly Inline[]
  /** Formulas in `<eq>`. */
  readonly html: string
  /** What a picture shows, as Markdown. */
  readonly shown: string
}

export function contentOf({ draft, block }: AssembledBlock, when: 'before' | 'after'): Content | undefined {
  const said = when === 'before' ? draft.origin : block
  if (!said) return undefined
  const marker = draft.kind === 'list_item' && said.marker && !said.text.startsWith(said.marker) ? `${said.marker} ` : ''
  const byModel = isByModel(said)
  const parts: readonly Inline[] = byModel && !verbatim.has(said.kind) ? inlines(marker + said.text) : [{ type: 'text', content: marker + said.text }]
  const html = (said.table?.html ?? '').replace(/<\/?t(?:head|body)>/g, '')
  return {
    text: inlineText(parts),
    inlines: parts,
    html: byModel ? mapCellFormulas(html, (latex) => `<eq>${latex.trim()}</eq>`) : html,
    shown: byModel ? pictureContent(said) : said.text,
  }
}

/** Kinds whose text is no prose with formulas in it. */
const verbatim: ReadonlySet<BlockKind> = new Set(['code', 'algorithm', 'formula', 'table', 'figure', 'chart'])

/** What MinerU calls further what a picture shows. */
export const subTypeOf = ({ draft }: AssembledBlock): { sub_type?: string } => (draft.origin.subKind ? { sub_type: draft.origin.subKind } : {})

/** The word of the model that a text goes on from the one before, joined or not. */
export const mergePrev = ({ draft }: AssembledBlock): { merge_prev?: true } => (draft.origin.continues ? { merge_prev: true } : {})

export const imageOf = ({ draft }: AssembledBlock): string => draft.origin.image?.path ?? ''

/** LaTeX of a formula, else its characters. */
export const formulaOf = (item: AssembledBlock, when: 'before' | 'after'): string => item.draft.origin.latex ?? contentOf(item, when)?.text ?? ''

/** Whole points, cut off, as MinerU does. */
export const pointBox = (box: Box, page: DocumentPage): [number, number, number, number] => [
  Math.trunc(box[0] * page.width),
  Math.trunc(box[1] * page.height),
  Math.trunc(box[2] * page.width),
  Math.trunc(box[3] * page.height),
]

/** Thousandths of the page, from whole points. */
export function thousandths(box: Box, page: DocumentPage): [number, number, number, number] {
  const [x0, y0, x1, y1] = pointBox(box, page)
  const [width, height] = [Math.trunc(page.width) || 1, Math.trunc(page.height) || 1]
  return [Math.trunc((x0 * 1000) / width), Math.trunc((y0 * 1000) / height), Math.trunc((x1 * 1000) / width), Math.trunc((y1 * 1000) / height)]
}
