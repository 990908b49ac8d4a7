import type { ModelUsage } from '../schema/model-usage.ts'
import type { LayoutBlock, PageBlock, PageFrame, PageRef, PageResult, Verdict } from '../schema/page.ts'
import type { TextLayer } from '../schema/text-layer.ts'

/** What each stage is given for a page and what it makes of it. Stages see values; the store and its references are the worker's business. */

export interface PageToRender {
  readonly page: PageRef
}

export interface RenderedPage extends PageToRender {
  /** `angle` is 0: the page as displayed. */
  readonly frame: PageFrame
  readonly textLayer: TextLayer
}

/** Bytes of a word of a text layer in memory, with its boxes and the edges of its letters; about 370 were measured. */
const wordBytes = 400

/** What the text layer of a page holds in memory, about. */
export const textLayerBytes = ({ textLayer }: RenderedPage): number => wordBytes * textLayer.words.length

export interface GatedPage extends PageToRender {
  /** Upright from here on. */
  readonly frame: PageFrame
  /** Turned upright with the frame; ruling lines seen in a picture are added. */
  readonly textLayer: TextLayer
  readonly verdict: Verdict
  /** Told of blocks that are read before their page is; absent where nobody listens. */
  readonly tell?: (block: PageBlock) => void
}

/** Among the reasons of a verdict: the model that was to look at the page made no sense of it, and it was laid out without. */
export const modelFailed = 'model-failed'

export interface LaidOutPage extends GatedPage, PageLayoutBlocks {}

/** What the layout of a page comes to: its blocks, and what a model took to see them. */
export interface PageLayoutBlocks {
  readonly blocks: readonly LayoutBlock[]
  readonly usage?: ModelUsage | undefined
}

/** A file that belongs to a page result: a figure cut out of the page. */
export interface ImageFile {
  /** As in `Image.path`. */
  readonly path: string
  readonly bytes: Uint8Array
}

export interface RecognizedPage {
  readonly result: PageResult
  readonly images: readonly ImageFile[]
}
