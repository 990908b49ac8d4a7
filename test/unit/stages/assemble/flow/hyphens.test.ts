import { describe, expect, it } from 'vitest'
import type { PageBlock } from '../../../../../src/schema/page.ts'
import { assembled } from '../../../../support/assembled.ts'
import { block, page } from '../../../../support/page-results.ts'

/** A paragraph in which `|` marks where its page took a hyphen out. */
function broken(text: string, markdown = text): PageBlock {
  const places = (marked: string) => [...marked.matchAll(/\|/g)].map((found, i) => found.index - i)
  const inMarkdown = places(markdown)
  return block({
    kind: 'text',
    text: text.replaceAll('|', ''),
    markdown: markdown.replaceAll('|', ''),
    hyphens: places(text).map((at, i) => ({ text: at, markdown: inMarkdown[i] ?? 0 })),
  })
}

const blocksOf = async (...pages: PageBlock[]) => (await assembled(pages.map((b, i) => page(i, [b])))).document.blocks

describe('a hyphen that a page took out at a line end', () => {
  it('comes back into a word that another page spells with one, in text and Markdown', async () => {
    const [first] = await blocksOf(
      broken('A fine|tuned mo|del of the kind.', '**A fine|tuned** mo|del of the kind.'),
      block({ kind: 'text', text: 'We fine-tuned the model.' }),
    )
    expect(first).toMatchObject({ text: 'A fine-tuned model of the kind.', markdown: '**A fine-tuned** model of the kind.' })
  })

  it('stays out of a word that stands nowhere else', async () => {
    const [first] = await blocksOf(broken('A rather long vocabu|lary.'), broken('The same vocabu|lary.'))
    expect(first?.text).toBe('A rather long vocabulary.')
  })

  it('comes back where the document breaks no words: only compounds end its lines so', async () => {
    const filler = block({ kind: 'text', text: Array(80).fill('the lines of a letter without any hyphens').join('\n') })
    const page0 = broken('A note on cost|efficient heating, without the cost.')
    expect((await blocksOf(page0, filler))[0]?.text).toContain('cost-efficient')
    const hyphenated = broken('The let|ter again.')
    expect((await blocksOf(page0, filler, hyphenated))[0]?.text).toContain('costefficient')
  })

  it('is decided alike where a page ends in it', async () => {
    const low = block({ kind: 'text', text: 'The method needs a model that was fine-', box: [0.1, 0.8, 0.9, 0.9] })
    const high = block({ kind: 'text', text: 'tuned before. We fine-tuned it.', box: [0.1, 0.1, 0.9, 0.2] })
    expect((await blocksOf(low, high))[0]?.text).toBe('The method needs a model that was fine-tuned before. We fine-tuned it.')
  })
})
