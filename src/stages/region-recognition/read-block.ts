import type { BlockKind, Flag } from '../../schema/block-kind.ts'
import type { LayoutBlock } from '../../schema/page.ts'
import type { BlockContent } from '../../schema/vlm-block.ts'
import type { ReadLine } from './lines/read-line.ts'

/** A block with its lines read, while its kind may still change by what it says. */
export interface ReadBlock {
  /** What the layout stage made of it. */
  readonly layout: LayoutBlock
  /** Its place in the layout; parts of one split block share it. */
  readonly layoutIndex: number
  kind: BlockKind
  readonly lines: readonly ReadLine[]
  /** What a vision-language model says of it: that, and not its lines, is its content. */
  readonly said?: BlockContent
  /** Whether all its lines come from the picture: only then may the text change the kind. */
  readonly fromPicture: boolean
  marker?: string
  depth?: number
  readonly flags: Set<Flag>
}

export const textOf = (block: ReadBlock): string => block.lines.map((line) => line.text).join(' ')
