import { z } from 'zod'

/** What a block is. The list is closed; `unknown` is for what a reader names and we cannot map. */
export const blockKinds = [
  'heading',
  'text',
  'list_item',
  'table',
  'formula',
  'code',
  'algorithm',
  'figure',
  'chart',
  'caption',
  'footnote',
  'reference',
  'index_entry',
  'form_field',
  'page_header',
  'page_footer',
  'page_number',
  'aside',
  'stamp',
  'unknown',
] as const
export type BlockKind = (typeof blockKinds)[number]
export const blockKindSchema = z.enum(blockKinds)

/** Kinds that stand beside the text of the document and are left out of Markdown and chunks. */
export const furnitureKinds: ReadonlySet<BlockKind> = new Set(['page_header', 'page_footer', 'page_number'])

/** Where a block's content came from; `vlm` carries the model's name: `vlm:<model>`. */
export const blockSourceSchema = z.union([z.enum(['text-layer', 'ocr', 'none']), z.string().regex(/^vlm:.+/)])
export type BlockSource = 'text-layer' | 'ocr' | 'none' | `vlm:${string}`

export const textSources = ['text-layer', 'ocr', 'vlm', 'mixed', 'none'] as const
export type TextSource = (typeof textSources)[number]

/** What a reader must know of a block, a page or a document before trusting it. The list is closed. */
export const flags = [
  'cut',
  'fallback',
  'low-confidence',
  'hidden-text',
  'merged',
  'lost-text',
  'unreadable',
  'xfa',
  'protected-wrapper',
  'bad-text-layer',
] as const
export type Flag = (typeof flags)[number]
export const flagSchema = z.enum(flags)
