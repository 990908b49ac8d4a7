import type { TextLayer } from '../schema/text-layer.ts'

/** The layer of a page of which nothing but this is known, or on which there is nothing else. */
export function bareTextLayer(page: Pick<TextLayer, 'width' | 'height' | 'rotation' | 'label' | 'sizeOnly'>): TextLayer {
  return {
    ...page,
    ...{ styles: [], words: [], lines: [], rules: [], fills: [], pictures: [], drawings: [], links: [], tags: [], fields: [] },
    ...{ unmappedChars: 0, totalChars: 0 },
  }
}
