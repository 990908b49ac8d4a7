import type { FoundText, TextFinder } from '../../../../../src/runtime/text-reader.ts'
import type { FoundBlock, VlmPageReader } from '../../../../../src/runtime/vlm/page-reader.ts'
import { PictureCache } from '../../../../../src/runtime/vlm/pictures/picture-cache.ts'
import type { OcrMode } from '../../../../../src/schema/ocr-mode.ts'
import type { VerdictKind } from '../../../../../src/schema/page.ts'
import type { GatedPage } from '../../../../../src/stages/stage-values.ts'
import { greyDocuments, PageMaker, type WordFacts } from '../../region-recognition/page-maker.ts'

export interface GatedFacts {
  readonly verdict: VerdictKind
  readonly ocr?: OcrMode
  /** Text and top of each printed line, in points, and what is odd about its words. */
  readonly lines?: readonly (readonly [text: string, y: number, facts?: WordFacts])[]
}

/** A page of 600 by 800 points with printed lines. */
export function gatedPage({ verdict, ocr = 'auto', lines = [] }: GatedFacts): GatedPage {
  const maker = new PageMaker()
  maker.verdict = verdict
  maker.ocr = ocr
  for (const [text, y, facts = {}] of lines)
    maker.line(
      text.split(' ').map((word) => [word, facts] as const),
      50,
      y,
    )
  const { blocks: _, ...page } = maker.page()
  return page
}

/** A model that sees these blocks on every page, or fails. */
export const seeing = (seen: readonly FoundBlock[] | Error): VlmPageReader => ({
  ...{
    family: 'mineru2.5',
    model: 'tiny',
    onePass: false,
    pagesAtOnce: 2,
    costMs: () => 1,
    start: async () => {},
    answers: async () => true,
    read: async () => [],
  },
  async layout(picture) {
    await picture()
    if (seen instanceof Error) throw seen
    return [...seen]
  },
  async [Symbol.asyncDispose]() {},
})

/** Sees one piece of writing. */
export const fakeFinder: TextFinder = {
  model: 'fake',
  find: async (): Promise<FoundText> => ({ regions: [{ corners: [0.2, 0.5, 0.6, 0.5, 0.6, 0.52, 0.2, 0.52], score: 0.9 }], bestProbability: 0.9 }),
}

export const fakePictures = (): PictureCache => new PictureCache({ documents: greyDocuments(), dpi: 200, maxPixels: 1e6, maxBytes: 1e6 })
