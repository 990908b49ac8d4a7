import type { PointBox } from '../../../schema/text-layer.ts'
import type { GatedPage } from '../../stage-values.ts'
import { sortWords } from '../../visible-words.ts'
import type { Atom, PageGeometry } from '../page-geometry.ts'
import { atomsFromRegions } from './atoms-from-regions.ts'
import { atomsFromWords } from './atoms-from-words.ts'

/** A page brought to one shape, whatever it is read from; hidden writing stands apart. */
export interface BuiltGeometry {
  readonly page: PageGeometry
  /** Atoms of words that a reader of the page cannot see. */
  readonly hidden: readonly Atom[]
}

/** Atoms from trusted words and from regions of the picture, both in points of the upright page. */
export function buildGeometry(page: GatedPage): BuiltGeometry {
  const { textLayer: layer, frame } = page
  const fates = sortWords(page)
  const fromWords = atomsFromWords(layer, fates.placed)
  const trusted: PointBox[] = page.verdict.regions.length > 0 ? fates.placed.map((i) => layer.words[i]?.box ?? [0, 0, 0, 0]) : []
  const fromRegions = atomsFromRegions(page.verdict.regions, frame.width, frame.height, trusted)
  return {
    page: {
      width: frame.width,
      height: frame.height,
      words: layer.words,
      styles: layer.styles,
      atoms: [...fromWords, ...fromRegions],
      rules: layer.rules,
      fills: layer.fills,
      pictures: layer.pictures,
      drawings: layer.drawings,
      links: layer.links,
      tags: layer.tags,
      fields: layer.fields,
    },
    hidden: atomsFromWords(layer, fates.hidden),
  }
}
