import type { PageFrame } from './page-frame.ts'

/** The page to be read, open. */
export interface OpenPage {
  readonly document: number
  readonly pageIndex: number
  readonly page: number
  readonly frame: PageFrame
  /** Form environment of the document, 0 when it has no form. */
  readonly form: number
  readonly tagged: boolean
  readonly label: string
}
