import { height, width } from '../../geometry/box.ts'
import type { Image, PageBlock } from '../../schema/page.ts'
import { escapeMarkdown } from '../../text/markdown-escape.ts'
import { imagePath } from '../block-id.ts'
import type { ImageFile, LaidOutPage } from '../stage-values.ts'
import { cutImage } from './pictures/cut-image.ts'
import type { PagePictures } from './pictures/page-pictures.ts'

/** A page of many small drawings does not become as many files. */
const maxImages = 64
/** After so many the page's pictures cannot be had at all. */
const maxFailures = 3
/** Fractions of the page; smaller things are specks. */
const smallestSide = 0.002
/** Longer texts are no alternative to a picture. */
const maxAlt = 300

export interface PicturedBlock {
  readonly block: PageBlock
  /** From the document's tags. */
  readonly tagged?: string
  readonly caption?: string
}

/** What a block gains by its picture. */
export interface Pictured {
  readonly markdown: string
  readonly image?: Image
}

/**
 * Cuts out figures and formulas, one after the other. What cannot be cut stays as text: a picture that fails costs
 * no block and no page.
 */
export async function cutPictures(
  blocks: readonly PicturedBlock[],
  page: LaidOutPage,
  pictures: PagePictures | undefined,
): Promise<{ pictured: Map<string, Pictured>; files: ImageFile[] }> {
  const pictured = new Map<string, Pictured>()
  const files = new Map<string, ImageFile>()
  let failures = 0
  for (const item of blocks) {
    const { block } = item
    const alt = altText(item)
    pictured.set(block.id, { markdown: withoutPicture(item) })
    const isSpeck = width(block.box) < smallestSide || height(block.box) < smallestSide
    if (!pictures || isSpeck || files.size >= maxImages || failures >= maxFailures) continue
    try {
      const { image, file } = await cutImage(pictures, block.box, imagePath(page.page, block.box), alt)
      files.set(file.path, file)
      pictured.set(block.id, { image, markdown: `![${escapeMarkdown(alt, { lineStart: false, inLink: true })}](${file.path})` })
    } catch {
      failures++
    }
  }
  return { pictured, files: [...files.values()] }
}

/** Tags say it best, then the caption, then what is written inside. A formula is its own text. */
function altText({ block, tagged, caption }: PicturedBlock): string {
  // The data of a chart and the words of a flowchart describe no picture.
  const inside = block.table || block.language !== undefined ? '' : block.text.replace(/\s+/gu, ' ').trim()
  const chosen = block.kind === 'formula' ? inside || tagged : tagged || caption || inside
  return shorten(chosen || block.kind)
}

const shorten = (text: string): string =>
  text.length <= maxAlt
    ? text
    : `${text
        .slice(0, maxAlt - 1)
        .replace(/\p{Surrogate}$/u, '')
        .trimEnd()}…`

/** Without a file the words stand for the picture: its description, or what is written in it. */
function withoutPicture({ block, tagged }: PicturedBlock): string {
  if (block.kind === 'formula' || block.source.startsWith('vlm:')) return block.markdown
  return escapeMarkdown(tagged || block.text.replace(/\s+/gu, ' ').trim())
}
