import type { BlockKind } from '../../schema/block-kind.ts'

/** What others call our kinds of block. */
export interface KindNames {
  /** Block type in MinerU's middle.json (VLM backend) and, for furniture, in content_list.json. */
  readonly mineru: string
  /** Type in MinerU's content_list.json. */
  readonly mineruContent: string
  /** Type in MinerU's content_list_v2.json. */
  readonly mineruContentV2: string
  /** Label of a docling document item. A docling heading of level 1 that is the document's title is `title`. */
  readonly docling: string
  /** Category of OmniDocBench's layout annotation. */
  readonly omniDocBench: string
}

const names = (mineru: string, mineruContent: string, mineruContentV2: string, docling: string, omniDocBench: string): KindNames => ({
  mineru,
  mineruContent,
  mineruContentV2,
  docling,
  omniDocBench,
})

/**
 * The one table of kinds. MinerU names captions and notes after what they belong to (`table_caption`); the entries
 * here are for those that belong to nothing. A MinerU list is a container around its items.
 */
export const kindNames: Readonly<Record<BlockKind, KindNames>> = {
  heading: names('title', 'text', 'title', 'section_header', 'title'),
  text: names('text', 'text', 'paragraph', 'text', 'text_block'),
  list_item: names('list', 'list', 'list', 'list_item', 'text_block'),
  table: names('table', 'table', 'table', 'table', 'table'),
  formula: names('interline_equation', 'equation', 'equation_interline', 'formula', 'equation_isolated'),
  code: names('code', 'code', 'code', 'code', 'code_txt'),
  algorithm: names('code', 'code', 'algorithm', 'code', 'code_txt'),
  figure: names('image', 'image', 'image', 'picture', 'figure'),
  chart: names('chart', 'chart', 'chart', 'chart', 'figure'),
  caption: names('text', 'text', 'paragraph', 'caption', 'figure_caption'),
  footnote: names('page_footnote', 'page_footnote', 'page_footnote', 'footnote', 'page_footnote'),
  reference: names('list', 'list', 'list', 'reference', 'reference'),
  index_entry: names('text', 'text', 'paragraph', 'document_index', 'text_block'),
  form_field: names('text', 'text', 'paragraph', 'form', 'text_block'),
  page_header: names('header', 'header', 'page_header', 'page_header', 'header'),
  page_footer: names('footer', 'footer', 'page_footer', 'page_footer', 'footer'),
  page_number: names('page_number', 'page_number', 'page_number', 'page_footer', 'page_number'),
  aside: names('aside_text', 'aside_text', 'page_aside_text', 'text', 'abandon'),
  stamp: names('image', 'image', 'image', 'picture', 'abandon'),
  unknown: names('text', 'text', 'paragraph', 'text', 'text_block'),
}
