import type { BodyLook } from '../body-look.ts'
import type { PageGeometry } from '../page-geometry.ts'

/** What every rule about kinds may know of the page. */
export interface PageContext {
  readonly page: PageGeometry
  readonly body: BodyLook
  /** 0-based. */
  readonly pageIndex: number
  readonly pageCount: number
  /** Size in the frame in which lines run left to right. */
  readonly width: number
  readonly height: number
}
