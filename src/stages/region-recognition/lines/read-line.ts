import type { Box } from '../../../schema/geometry.ts'
import type { Span } from './span.ts'

/** One printed line, read. */
export interface ReadLine {
  /** Fractions of the upright page. */
  readonly box: Box
  /** As printed; a soft hyphen at its end is kept as U+00AD for the join. */
  readonly text: string
  /** The same text in runs of one look. */
  readonly spans: readonly Span[]
  /** 0..1, of lines read from the picture. */
  readonly confidence?: number
  /** Of a region: its own height across the writing, as a fraction of the page's height; less than the box of a slanted line. */
  readonly thickness?: number
}
