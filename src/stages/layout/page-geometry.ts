import type { LayoutTable } from '../../schema/page.ts'
import type { Fill, FormField, Link, PictureArea, PointBox, Rule, Tag, TextStyle, Word } from '../../schema/text-layer.ts'

/**
 * A piece of one printed line, free of wide gaps: what the geometry works on.
 * It comes from words of the text layer or from a region that the text finder saw.
 * Points, upright page.
 */
export interface Atom {
  readonly box: PointBox
  /** y of the baseline; the bottom of the box less a fifth for a region. */
  readonly baseline: number
  readonly sizePt: number
  /** Degrees clockwise of the reading direction, 0 for most. */
  readonly angle: number
  readonly vertical: boolean
  /** Words of the text layer, in reading order. */
  readonly words?: readonly number[]
  /** Region of the verdict. */
  readonly region?: number
  /** Empty for a region: its text is not known yet. */
  readonly text: string
  /** Of the most frequent words; absent for a region. */
  readonly style?: TextStyle
}

/** A page as the layout engine sees it, whatever it was read from. */
export interface PageGeometry {
  readonly width: number
  readonly height: number
  readonly words: readonly Word[]
  readonly styles: readonly TextStyle[]
  /** Content order for text layers, top to bottom for regions. */
  readonly atoms: readonly Atom[]
  readonly rules: readonly Rule[]
  readonly fills: readonly Fill[]
  readonly pictures: readonly PictureArea[]
  readonly drawings: readonly PointBox[]
  readonly links: readonly Link[]
  readonly tags: readonly Tag[]
  readonly fields: readonly FormField[]
}

/** A table found on a page, with its grid. */
export interface FoundTable {
  readonly box: PointBox
  /** Indices of atoms whose words or region stand in its cells: nobody else may use them. Atoms are never split over this border: split words go by `layoutLine.words`. */
  readonly atoms: ReadonlySet<number>
  /** Degrees clockwise of its reading direction: 0, or 90 / 270 for a table turned on an upright page. */
  readonly angle: 0 | 90 | 180 | 270
  readonly table: LayoutTable
}
