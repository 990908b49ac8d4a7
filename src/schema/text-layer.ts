import type { QuarterTurn } from './geometry.ts'

/**
 * What a PDF page says of itself, read without a picture. All coordinates are PDF points in the frame
 * of the page as displayed (crop box, /Rotate applied), origin top-left, y down. It is the one shape
 * between stages in points: geometry needs an isotropic unit. A picture's layer has size and no words.
 */
export interface TextLayer {
  /** Page size in points (1/72 inch), as displayed. */
  readonly width: number
  readonly height: number
  /** /Rotate of the page, already applied to every coordinate here. */
  readonly rotation: QuarterTurn
  readonly styles: readonly TextStyle[]
  /** In content order. White space is no word. */
  readonly words: readonly Word[]
  /** Runs of words on one baseline without a wide gap, in content order; each word is in exactly one line. */
  readonly lines: readonly TextLine[]
  readonly rules: readonly Rule[]
  readonly fills: readonly Fill[]
  readonly pictures: readonly PictureArea[]
  /** Clusters of vector drawing that are neither ruling lines nor plain rectangles: parts of figures and charts. */
  readonly drawings: readonly PointBox[]
  readonly links: readonly Link[]
  /** The page's part of the structure tree, parents before children; empty when the document is not tagged. */
  readonly tags: readonly Tag[]
  /** Form fields with their values, drawn or not. */
  readonly fields: readonly FormField[]
  readonly label?: string
  /** Nothing but size and label was read: nobody was going to look at the rest. */
  readonly sizeOnly?: true
  /** Printed characters without a usable Unicode value, of all printed characters. */
  readonly unmappedChars: number
  readonly totalChars: number
}

/** `[x0, y0, x1, y1]` in points. */
export type PointBox = readonly [number, number, number, number]

export interface TextStyle {
  /** PostScript name without the subset prefix. */
  readonly font: string
  /** Size in points after the text matrix, as a reader sees it. */
  readonly sizePt: number
  readonly bold: boolean
  readonly italic: boolean
  readonly monospace: boolean
  /** Glyphs of a symbol or mathematics font (CM*, Symbol, …Math…). */
  readonly symbolic: boolean
  /** Fill colour `#rrggbb`. */
  readonly color: string
}

/** Why a reader of the page cannot see a word. */
export const hiddenReasons = ['invisible', 'same-colour', 'tiny', 'off-page', 'covered'] as const
export type HiddenReason = (typeof hiddenReasons)[number]

export interface Word {
  readonly text: string
  /** Line-high box (ascent to descent), around the word as turned. */
  readonly box: PointBox
  /** Distance of the baseline from the origin across the reading direction, in points (y for upright text). */
  readonly baseline: number
  /** Index into `styles`: the style of the first character that is not raised. */
  readonly style: number
  /** Reading direction, degrees clockwise from left-to-right; 0 for upright. Vertical CJK columns are `vertical`. */
  readonly angle: number
  readonly vertical?: true
  /** Style changes inside the word: from character `start` (UTF-16 index) on. */
  readonly runs?: readonly StyleRun[]
  /** The whole word is a superscript or subscript of its neighbour. */
  readonly raised?: 'super' | 'sub'
  /** A space glyph or a gap stands between this word and the one before it on the line (false: they touch). */
  readonly spaceBefore: boolean
  readonly hidden?: HiddenReason
  /** Characters without a usable Unicode value. */
  readonly unmapped?: number
  /** The word ends in a soft hyphen or one that PDFium marks as a line-end hyphen. */
  readonly hyphen?: true
  /** Index into `links`. */
  readonly link?: number
  /** Marked-content id, for `tags`. */
  readonly mcid?: number
  /** Edges of each character along the reading direction: start of each UTF-16 unit, then the end of the last. */
  readonly edges: ArrayLike<number>
}

export interface StyleRun {
  readonly start: number
  readonly style: number
  readonly raised?: 'super' | 'sub'
}

export interface TextLine {
  /** Words `first` .. `first + count - 1`. */
  readonly first: number
  readonly count: number
  readonly box: PointBox
  readonly baseline: number
  readonly angle: number
  readonly vertical?: true
}

/** A straight ruling line, drawn as a stroke or as a thin filled rectangle. */
export interface Rule {
  readonly direction: 'horizontal' | 'vertical'
  /** y of a horizontal, x of a vertical rule (its centre). */
  readonly at: number
  readonly from: number
  readonly to: number
  readonly thickness: number
}

/** A filled or outlined rectangle that is not a rule. */
export interface Fill {
  readonly box: PointBox
  /** Fill colour `#rrggbb`, absent when only outlined. */
  readonly color?: string
  readonly stroked: boolean
}

export interface PictureArea {
  readonly box: PointBox
  readonly widthPx: number
  readonly heightPx: number
}

export interface Link {
  readonly box: PointBox
  readonly uri?: string
  /** 0-based page of the same document. */
  readonly page?: number
}

export interface Tag {
  /** Standard structure type after the role map: P, H1, Table, TD, L, LI, Lbl, LBody, Figure, Caption, Note, Artifact, … */
  readonly role: string
  /** Index of the parent in the list, -1 for a root. */
  readonly parent: number
  readonly mcids: readonly number[]
  readonly alt?: string
  readonly actualText?: string
  readonly rowSpan?: number
  readonly columnSpan?: number
}

export interface FormField {
  readonly box: PointBox
  /** `note` is a free-text annotation: words that were typed onto the page, for instance to fill in a form that has no fields. */
  readonly kind: 'text' | 'checkbox' | 'radio' | 'choice' | 'button' | 'signature' | 'note' | 'unknown'
  /** Empty for a note. Fully qualified: the partial names of the field and its parents, joined by dots. */
  readonly name: string
  /** What the form calls the field for its reader, where it says so. */
  readonly label?: string
  /** Of a checkbox or radio button: `off`, or the name of its checked state. */
  readonly value: string
}
