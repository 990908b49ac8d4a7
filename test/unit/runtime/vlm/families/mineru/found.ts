import { kindOf } from '../../../../../../src/runtime/vlm/families/mineru/block-types.ts'
import type { FoundBlock } from '../../../../../../src/runtime/vlm/page-reader.ts'
import type { Box } from '../../../../../../src/schema/geometry.ts'

/** A block of a layout, upright. */
export const found = (type: string, box: Box): FoundBlock => ({ type, kind: kindOf(type) ?? 'unknown', box, angle: 0, flags: [] })
