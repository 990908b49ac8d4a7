import { describe, expect, it } from 'vitest'
import type { PointBox } from '../../../../../src/schema/text-layer.ts'
import type { DraftBlock } from '../../../../../src/stages/layout/draft-block.ts'
import { placeCaptions } from '../../../../../src/stages/layout/kinds/caption-order.ts'

const block = (kind: DraftBlock['kind'], box: PointBox, parent?: DraftBlock): DraftBlock => ({
  kind,
  lines: [],
  box,
  column: [0, 0, 600, 800],
  whiteAbove: Infinity,
  whiteBelow: Infinity,
  endsColumn: false,
  flags: [],
  ...(parent ? { parent } : {}),
})

describe('the place of captions', () => {
  it('is after their own figure where captions at the foot of two columns were read as a row', () => {
    const left = block('figure', [60, 500, 280, 700])
    const text = block('text', [310, 100, 540, 400])
    const right = block('figure', [310, 450, 540, 700])
    const [one, two] = [block('caption', [60, 710, 200, 720], left), block('caption', [310, 710, 500, 720], right)]
    expect(placeCaptions([left, text, right, one, two])).toEqual([left, one, text, right, two])
  })

  it('is before a table that they stand above', () => {
    const caption = block('caption', [60, 100, 200, 110])
    const text = block('text', [310, 100, 540, 400])
    const table = block('table', [60, 115, 280, 300])
    caption.parent = table
    expect(placeCaptions([caption, text, table])).toEqual([text, caption, table])
  })

  it('is after the last of several pictures that share one', () => {
    const first = block('figure', [60, 500, 280, 700])
    const second = block('figure', [310, 500, 540, 700])
    const label = block('text', [400, 705, 450, 712])
    const caption = block('caption', [200, 715, 400, 725], first)
    expect(placeCaptions([first, second, label, caption])).toEqual([first, second, label, caption])
  })

  it('stays where only labels of the figure stand between', () => {
    const figure = block('figure', [60, 500, 280, 700])
    const label = block('text', [100, 702, 150, 708])
    const caption = block('caption', [60, 712, 280, 722], figure)
    expect(placeCaptions([figure, label, caption])).toEqual([figure, label, caption])
  })
})
