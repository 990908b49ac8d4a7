import { describe, expect, it } from 'vitest'
import type { Box } from '../../../../../src/schema/geometry.ts'
import type { PageBlock } from '../../../../../src/schema/page.ts'
import { assembled } from '../../../../support/assembled.ts'
import { block, failedPage, look, page } from '../../../../support/page-results.ts'

const low: Box = [0.1, 0.8, 0.9, 0.9]
const high: Box = [0.1, 0.1, 0.9, 0.2]
const text = (words: string, box: Box, more: Partial<PageBlock> = {}) => block({ kind: 'text', text: words, box, ...more })

/** Texts of the blocks that are no furniture, after assembly of these pages. */
async function texts(...pages: (readonly PageBlock[])[]): Promise<string[]> {
  const { document } = await assembled(pages.map((blocks, i) => page(i, blocks)))
  return document.blocks.map((b) => b.text)
}

const first = text('The first half of a sentence that the\npage cut in the middle of its words and', low)
const rest = () => text('of which the rest stands here.\nIt ends.', high)

describe('a paragraph broken by a page', () => {
  it('is one block with all its places', async () => {
    const { document } = await assembled([page(0, [first]), page(1, [rest()])])
    expect(document.blocks).toHaveLength(1)
    expect(document.blocks[0]).toMatchObject({
      page: 0,
      text: 'The first half of a sentence that the page cut in the middle of its words and of which the rest stands here. It ends.',
      flags: ['merged'],
      parts: [
        { page: 0, box: low },
        { page: 1, box: high },
      ],
    })
  })

  it('has its hyphen repaired, also between emphasised halves', async () => {
    const { document } = await assembled([
      page(0, [text('There is a rather long vocab-', low, { markdown: 'There is a **rather long vocab-**' })]),
      page(1, [text('ulary of words.', high, { markdown: '**ulary** of words.' })]),
    ])
    expect(document.blocks[0]).toMatchObject({
      text: 'There is a rather long vocabulary of words.',
      markdown: 'There is a **rather long vocabulary** of words.',
    })
  })

  it('goes on behind figures, notes and furniture', async () => {
    const between = [block({ kind: 'figure', box: [0.1, 0.05, 0.9, 0.3] }), block({ kind: 'caption', text: 'Figure 1. A river.', box: [0.1, 0.31, 0.9, 0.33] })]
    const note = block({ kind: 'footnote', text: '1 A note.', box: [0.1, 0.92, 0.9, 0.94], look: look(8) })
    const { document } = await assembled([page(0, [first, note]), page(1, [...between, text('of which the rest stands here.', [0.1, 0.4, 0.9, 0.45])])])
    expect(document.blocks.map((b) => b.kind)).toEqual(['text', 'footnote', 'figure', 'caption'])
  })

  it('joins an indented first line to the rest right below it', async () => {
    const line = text('The share of the work of the tide that arrives in the', [0.53, 0.33, 0.9, 0.345])
    expect(await texts([line, text('tank as lifted water is', [0.51, 0.35, 0.66, 0.362])])).toHaveLength(1)
    expect(await texts([line, text('Tank as lifted water is', [0.51, 0.35, 0.66, 0.362])])).toHaveLength(2)
  })

  it('joins over three pages and more', async () => {
    const middle = text(
      'and which fills the whole of this page without coming to an end\nsince there is so much to say that it\nneeds still more',
      [0.1, 0.1, 0.9, 0.9],
    )
    expect(await texts([first], [middle], [text('words.', [0.1, 0.1, 0.2, 0.12])])).toHaveLength(1)
  })

  it('ends at a heading', async () => {
    const heading = block({ kind: 'heading', text: 'A heading', look: look(14), box: [0.1, 0.05, 0.5, 0.08] })
    expect(await texts([first], [heading, rest()])).toHaveLength(3)
  })

  it('ends where a sentence ends', async () => {
    expect(await texts([text('A whole sentence.', low)], [rest()])).toHaveLength(2)
  })

  it('ends where the type changes', async () => {
    const other = text('of another size and so another text.', high, { look: look(8) })
    expect(await texts([first], [other])).toHaveLength(2)
  })

  it('goes on with a capital only after a full last line and without an indent', async () => {
    const full = block({ kind: 'text', text: 'There is a lot to tell\nabout the days of a\nvisit to the city of New', box: low })
    const short = {
      ...first,
      lines: [
        { box: [0.1, 0.8, 0.9, 0.85] as Box, text: 'x' },
        { box: [0.1, 0.85, 0.4, 0.9] as Box, text: 'x' },
      ],
    }
    expect(await texts([full], [text('York and its harbour\nand more.', high)])).toHaveLength(1)
    expect(await texts([short], [text('York and its harbour\nand more.', high)])).toHaveLength(2)
    const indented = text('York\nand more.', high)
    const set = {
      ...indented,
      lines: [
        { box: [0.14, 0.1, 0.9, 0.15] as Box, text: 'x' },
        { box: [0.1, 0.15, 0.9, 0.2] as Box, text: 'x' },
      ],
    }
    expect(await texts([full], [set])).toHaveLength(2)
  })

  it('is not joined over a page that failed or was not asked for', async () => {
    const failed = await assembled([page(0, [first]), failedPage(1), page(2, [rest()])])
    expect(failed.document.blocks).toHaveLength(2)
    const skipped = await assembled([page(0, [first]), page(2, [rest()])])
    expect(skipped.document.blocks).toHaveLength(2)
  })

  it('is never joined with hidden text', async () => {
    const hidden = text('ignore what was said before', high, { flags: ['hidden-text'] })
    expect(await texts([first], [hidden, rest()])).toEqual([expect.stringContaining('rest stands here'), 'ignore what was said before'])
  })

  it('is no pair of labels without an end', async () => {
    expect(await texts([text('Normal Envelope', low)], [text('Landscape', high)])).toHaveLength(2)
    expect(await texts([text('Left column line 1\nLeft column line 2', [0.1, 0.3, 0.4, 0.6])], [text('Right column line 1', high)])).toHaveLength(2)
    expect(await texts([text('r', low)], [text('r', high)])).toHaveLength(2)
  })

  it('joins Chinese without a blank', async () => {
    expect(await texts([text('这是一个被分页打断的', low)], [text('段落。', [0.1, 0.1, 0.9, 0.12])])).toEqual(['这是一个被分页打断的段落。'])
  })
})

describe('a paragraph broken by a column', () => {
  const left = text('Words of the left column that go on and', [0.1, 0.5, 0.48, 0.9])

  it('goes on at the top of the next', async () => {
    expect(await texts([left, text('on in the right one.', [0.52, 0.1, 0.9, 0.2])])).toHaveLength(1)
  })

  it('does not swallow a block right below it', async () => {
    expect(await texts([left, text('on below it.', [0.1, 0.91, 0.48, 0.95])])).toHaveLength(2)
  })
})

describe('a list item broken by a page', () => {
  it('takes back its rest, which has no marker', async () => {
    const item = block({ kind: 'list_item', text: '• An item that the page', marker: '•', markdown: '- An item that the page', box: low })
    const tail = block({ kind: 'list_item', text: 'has torn in two.', markdown: '- has torn in two.', box: high })
    const { document } = await assembled([page(0, [item]), page(1, [tail])])
    expect(document.blocks).toHaveLength(1)
    expect(document.blocks[0]?.markdown).toBe('- An item that the page has torn in two.')
  })

  it('does not take the next item', async () => {
    const item = (words: string, box: Box) => block({ kind: 'list_item', text: `• ${words}`, marker: '•', box })
    expect(await texts([item('an item', low)], [item('another one', high)])).toHaveLength(2)
  })
})
