import type { OnnxProvider } from '../../config/config.ts'
import type { TextRegion } from '../../schema/page.ts'
import type { Picture } from '../document-reader.ts'
import type { LocatedModel } from '../models/locate-model.ts'
import type { FoundText, LineText } from '../text-reader.ts'

/** Pixels lie in shared memory: a message carries a reference, whatever the size. */
export type OcrRequest =
  | { readonly kind: 'find'; readonly picture: Picture; readonly longSidePx: number }
  | { readonly kind: 'read'; readonly picture: Picture; readonly regions: readonly TextRegion[] }
  | { readonly kind: 'warm-up' }

export type OcrReply =
  | { readonly kind: 'found'; readonly found: FoundText }
  | { readonly kind: 'lines'; readonly lines: readonly LineText[] }
  | { readonly kind: 'warm' }

/** Which models a worker loads, each when it is first asked for, and what runs them. */
export interface OcrModels {
  readonly detector: LocatedModel
  readonly recognizer: LocatedModel
  readonly providers: readonly OnnxProvider[]
}
