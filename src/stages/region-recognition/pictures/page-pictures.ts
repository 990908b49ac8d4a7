import type { Config } from '../../../config/config.ts'
import type { Documents, Picture } from '../../../runtime/document-reader.ts'
import { cropPicture } from '../../../runtime/documents/pictures/crop-picture.ts'
import type { Box } from '../../../schema/geometry.ts'
import type { LaidOutPage } from '../../stage-values.ts'

/** The pictures of one page, made when first asked for. */
export class PagePictures {
  readonly #page: LaidOutPage
  readonly #documents: Documents
  readonly #config: Config
  readonly #shown: (() => Promise<Picture>) | undefined
  #whole: Promise<Picture> | undefined

  /** `shown`: the page at the resolution in which parts are shown, where somebody has it. */
  constructor(page: LaidOutPage, documents: Documents, config: Config, shown?: () => Promise<Picture>) {
    this.#page = page
    this.#documents = documents
    this.#config = config
    this.#shown = shown
  }

  /** The page for reading: at the scan's own resolution, once for all blocks. Rejects with `page-*`, `picture-*`, `document-*` codes. */
  readonly whole = (): Promise<Picture> => {
    this.#whole ??= this.#picture({ dpi: 'native' })
    return this.#whole
  }

  /** A part of the page to be shown: cut out of the page where that was read from its picture, else rendered for itself. */
  async part(box: Box): Promise<Picture> {
    if (this.#whole) return cropPicture(await this.#whole, box)
    if (this.#shown) return cropPicture(await this.#shown(), box)
    return this.#picture({ dpi: this.#config.render.dpi, region: box })
  }

  #picture(what: { dpi: number | 'native'; region?: Box }): Promise<Picture> {
    const { page, frame } = this.#page
    return this.#documents.use(page.source, (document) =>
      document.picture(page.pageIndex, { ...what, angle: frame.angle, channels: 3, maxPixels: this.#config.limits.maxRenderPixels }),
    )
  }
}
