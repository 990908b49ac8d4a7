import { describe, expect, it } from 'vitest'
import type { BlockContent } from '../../../../../src/schema/vlm-block.ts'
import { blockContent, pageBlock } from '../../../../../src/stages/region-recognition/page-block.ts'
import { saidBlock } from '../../../../../src/stages/region-recognition/read-blocks.ts'

const finished = (said: Partial<BlockContent> & Pick<BlockContent, 'kind' | 'text'>) => {
  const layout = { kind: said.kind, box: [0.1, 0.1, 0.9, 0.2], angle: 0, lines: [], flags: [] } as const
  const content = { raw: '', flags: [], ...said }
  return blockContent(saidBlock({ ...layout, box: [...layout.box], lines: [], flags: [] }, 0, content), { links: [] } as never)
}

describe('what a model says', () => {
  it.each([
    ['• One \\(x\\)', '•', '- One $x$'],
    ['2. Two', '2.', '2. Two'],
    ['(a) Three', '(a)', '- (a) Three'],
    ['Four', undefined, '- Four'],
  ])('of an item, %j, has the marker that is printed', (text, marker, markdown) => {
    const content = finished({ kind: 'list_item', text })
    expect([content.text, content.marker, content.markdown]).toEqual([text, marker, markdown])
  })

  it('of a heading begins with its number', () => {
    expect(finished({ kind: 'heading', text: '1. Overview' }).markdown).toBe('1. Overview')
  })

  it.each([
    ['page_footnote', 'page'],
    ['table_footnote', 'body'],
    ['footnote', undefined],
  ])('of a note that it calls %s tells what that belongs to', (type, noteOf) => {
    const content: BlockContent = { kind: 'footnote', text: '1 A note.', raw: '', flags: [] }
    const read = saidBlock({ kind: 'footnote', box: [0.1, 0.1, 0.9, 0.2], angle: 0, lines: [], flags: [], model: { type } }, 0, content)
    const made = pageBlock({ id: 'n', page: 0, order: 0 }, read, blockContent(read, { links: [] } as never), undefined)
    expect(made.noteOf).toBe(noteOf)
  })

  it('of a flowchart is fenced', () => {
    expect(finished({ kind: 'figure', text: 'graph TD', language: 'mermaid' }).markdown).toBe('```mermaid\ngraph TD\n```')
  })
})
