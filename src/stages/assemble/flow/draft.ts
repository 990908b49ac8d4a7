import type { BlockKind, Flag } from '../../../schema/block-kind.ts'
import type { DocumentBlock } from '../../../schema/document.ts'
import type { Box } from '../../../schema/geometry.ts'
import type { PageBlock, PageResult, Table } from '../../../schema/page.ts'
import type { Spelling } from '../survey/spelling.ts'
import { restoreHyphens } from './restore-hyphens.ts'

/** One of the places of a block that was joined over columns or pages. */
export interface Part {
  readonly page: number
  readonly box: Box
  /** Where its content begins: characters of `text`, or rows of the table. */
  readonly from: number
}

/** A mark in the text that refers to a footnote of the same page. */
export interface NoteReference {
  /** As it stands in the Markdown of the block. */
  readonly mark: string
  /** Number of the note in the document, from 1. */
  readonly number: number
}

/**
 * A page block on its way into the document. `origin` is what its page says and never changes;
 * what the document says differently stands beside it. Only the flow changes a draft.
 */
export interface Draft {
  readonly origin: PageBlock
  readonly page: Pick<PageResult, 'index' | 'width' | 'height'>
  kind: BlockKind
  level: number | undefined
  depth: number | undefined
  parent: string | undefined
  text: string
  markdown: string
  table: Table | undefined
  alt: string | undefined
  readonly parts: Part[]
  /** The page block that the end of the content came from: its place and lines decide what may follow. */
  tail: PageBlock
  readonly flags: Set<Flag>
  /** Set once the content has gone over to another block. */
  absorbedBy: string | undefined
  /** Number of a footnote that the text refers to. */
  note: number | undefined
  readonly references: NoteReference[]
  /** Captions and notes of this block that come behind it in reading order. */
  tiedAfter: number
}

export function draftOf(origin: PageBlock, page: PageResult, spelling: Spelling): Draft {
  const { text, markdown } = restoreHyphens(origin, spelling)
  return {
    origin,
    page: { index: page.index, width: page.width, height: page.height },
    kind: origin.kind,
    level: undefined,
    depth: origin.kind === 'list_item' ? origin.depth : undefined,
    parent: origin.parent,
    text,
    markdown,
    table: origin.table,
    alt: undefined,
    parts: [{ page: page.index, box: origin.box, from: 0 }],
    tail: origin,
    flags: new Set(origin.flags),
    absorbedBy: undefined,
    note: undefined,
    references: [],
    tiedAfter: 0,
  }
}

/** Whether a vision-language model read a block. */
export const isByModel = ({ source }: Pick<PageBlock, 'source'>): boolean => source.startsWith('vlm:')

export const isHidden = (draft: Draft): boolean => draft.flags.has('hidden-text')

/** The draft as it stands in document.json. */
export function documentBlock(draft: Draft, order: number): DocumentBlock {
  const { origin, kind, text, markdown, level, depth, parent, table, parts } = draft
  const { id, page, box, angle, source, confidence, marker, writingMode, direction, latex, language, subKind, continues } = origin
  const image = origin.image && draft.alt !== undefined ? { ...origin.image, alt: draft.alt } : origin.image
  return {
    id,
    kind,
    page,
    box,
    angle,
    order,
    text,
    markdown,
    ...(level === undefined ? {} : { level }),
    ...(marker === undefined ? {} : { marker }),
    ...(depth === undefined ? {} : { depth }),
    ...(writingMode === undefined ? {} : { writingMode }),
    ...(direction === undefined ? {} : { direction }),
    source,
    ...(confidence === undefined ? {} : { confidence }),
    flags: [...draft.flags],
    ...(parent === undefined ? {} : { parent }),
    ...(parts.length > 1 ? { parts: parts.map((part) => ({ page: part.page, box: part.box })) } : {}),
    ...(table === undefined ? {} : { table }),
    ...(image === undefined ? {} : { image }),
    ...(latex === undefined ? {} : { latex }),
    ...(language === undefined ? {} : { language }),
    ...(subKind === undefined ? {} : { subKind }),
    ...(continues ? { continues } : {}),
  }
}
