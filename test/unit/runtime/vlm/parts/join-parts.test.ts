import { describe, expect, it } from 'vitest'
import type { FoundBlock } from '../../../../../src/runtime/vlm/page-reader.ts'
import { joinParts } from '../../../../../src/runtime/vlm/parts/join-parts.ts'
import type { BlockKind } from '../../../../../src/schema/block-kind.ts'
import type { Box } from '../../../../../src/schema/geometry.ts'

const block = (kind: BlockKind, text: string, box: Box = [0, 0, 1, 1]): FoundBlock => ({
  type: kind,
  kind,
  box,
  angle: 0,
  content: { kind, text, raw: text, flags: [] },
  flags: [],
})

describe('the blocks of a page in parts', () => {
  it('stand where the parts stand, in their order', () => {
    const joined = joinParts([
      { box: [0, 0, 0.5, 1], blocks: [block('text', 'A.', [0.2, 0.5, 0.8, 0.75])] },
      { box: [0.5, 0.25, 1, 0.75], blocks: [{ ...block('text', 'B.', [0, 0, 1, 0.5]), polygon: [0, 0, 1, 0, 1, 0.5] }] },
    ])
    expect(joined.map(({ box, content }) => [box, content?.text])).toEqual([
      [[0.1, 0.5, 0.4, 0.75], 'A.'],
      [[0.5, 0.25, 1, 0.5], 'B.'],
    ])
    expect(joined[1]?.polygon).toEqual([0.5, 0.25, 1, 0.25, 1, 0.5])
  })

  it('go on where a cut went through a sentence', () => {
    const joins = (first: FoundBlock, second: FoundBlock) =>
      joinParts([
        { box: [0, 0, 1, 0.5], blocks: [first] },
        { box: [0, 0.5, 1, 1], blocks: [second, block('text', 'next')] },
      ]).map(({ continues }) => continues)
    expect(joins(block('text', 'The end of'), block('text', 'a sentence.'))).toEqual([undefined, true, undefined])
    expect(joins(block('text', 'The end.'), block('text', 'a sentence.'))).toEqual([undefined, undefined, undefined])
    expect(joins(block('text', 'The end of'), block('text', 'Another'))).toEqual([undefined, undefined, undefined])
    expect(joins(block('heading', 'The end of'), block('text', 'a sentence'))).toEqual([undefined, undefined, undefined])
    expect(joins(block('text', ''), block('text', 'a sentence'))).toEqual([undefined, undefined, undefined])
  })

  it('are no heads and feet in the body of the page', () => {
    const blocks = [block('page_header', 'h', [0, 0, 1, 0.05]), block('page_footer', 'f', [0, 0.95, 1, 1])]
    const joined = joinParts([
      { box: [0, 0, 1, 0.5], blocks },
      { box: [0, 0.5, 1, 1], blocks },
    ])
    expect(joined.map(({ kind, content }) => [kind, content?.kind])).toEqual([
      ['page_header', 'page_header'],
      ['text', 'text'],
      ['text', 'text'],
      ['page_footer', 'page_footer'],
    ])
  })
})
