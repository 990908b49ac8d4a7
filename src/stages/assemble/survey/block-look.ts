import type { PageBlock, PageResult } from '../../../schema/page.ts'

/** Latin type: cap height to descender is about this share of the line box that a reader reports. */
const sizeOfLineBox = 0.8

/** Type size in points: as the text layer says, else from the height of the printed lines, else of a one-line block; 0 when nothing tells. */
export function typeSize(block: PageBlock, page: Pick<PageResult, 'width' | 'height'>): number {
  if (block.look && block.look.sizePt > 0) return block.look.sizePt
  const vertical = block.writingMode === 'vertical' || block.angle % 180 === 90
  const across = (box: readonly number[]) => (vertical ? ((box[2] ?? 0) - (box[0] ?? 0)) * page.width : ((box[3] ?? 0) - (box[1] ?? 0)) * page.height)
  if (block.lines.length > 0) {
    const heights = block.lines.map((line) => across(line.box)).sort((a, b) => a - b)
    return (heights[heights.length >> 1] ?? 0) * sizeOfLineBox
  }
  const lines = block.text.split('\n').length
  return block.kind === 'heading' ? (across(block.box) / lines) * sizeOfLineBox : 0
}

/** How a block looks, with a size always. */
export interface MeasuredLook {
  readonly sizePt: number
  readonly bold: boolean
  readonly italic: boolean
  readonly capitals: boolean
  readonly font: string
  /** Measured on a picture: the size may be off by a tenth. */
  readonly rough: boolean
}

export function measuredLook(block: PageBlock, page: Pick<PageResult, 'width' | 'height'>): MeasuredLook {
  const { look } = block
  return {
    sizePt: typeSize(block, page),
    bold: look?.bold ?? false,
    italic: look?.italic ?? false,
    capitals: look?.capitals ?? isCapitals(block.text),
    font: look?.font ?? '',
    rough: block.source !== 'text-layer' || !look,
  }
}

function isCapitals(text: string): boolean {
  if (/[a-z]/.test(text)) return false
  const letters = text.replace(/[^\p{Lu}\p{Ll}]/gu, '')
  return letters.length >= 3 && letters === letters.toUpperCase()
}
