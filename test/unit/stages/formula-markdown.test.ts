import { describe, expect, it } from 'vitest'
import { formulaMarkdown } from '../../../src/stages/formula-markdown.ts'
import { tableHtml } from '../../../src/stages/table-html.ts'
import { tableToMarkdown } from '../../../src/stages/table-markdown.ts'
import { table } from '../../support/page-results.ts'

describe('text of a model as Markdown', () => {
  it('has its formulas between dollar signs and all else as it is written', () => {
    expect(formulaMarkdown('where \\( x_1 * 2 \\) is *not* \\(y\\)')).toBe('where $x_1 * 2$ is \\*not\\* $y$')
    expect(formulaMarkdown('1. \\( \\) open \\( x')).toBe('1\\.  open \\\\( x')
    expect(formulaMarkdown('1. A heading', { lineStart: false })).toBe('1. A heading')
  })

  it('takes time in proportion to its length', () => {
    expect(formulaMarkdown('\\( '.repeat(100_000)).length).toBeGreaterThan(100_000)
  })
})

describe('a table with formulas as Markdown', () => {
  const grid = table([['a | b', '\\( x | y \\)'], ['\\( p', 'q \\)']], 1) // biome-ignore format: a grid

  it('has them between dollar signs, each in its cell', () => {
    expect(tableToMarkdown(grid, { formulas: true })).toBe('| a \\| b | $x \\| y$ |\n| --- | --- |\n| \\\\( p | q \\\\) |')
    const html = tableHtml(table([['\\( x < y \\)', '\\( p'], ['q \\)', '']]).cells, 2, 0) // biome-ignore format: a grid
    expect(tableToMarkdown({ ...grid, headerRows: 0, html }, { formulas: true })).toBe(
      '<table><tbody><tr><td>$x &lt; y$</td><td>\\( p</td></tr><tr><td>q \\)</td><td></td></tr></tbody></table>',
    )
  })

  it('leaves them alone where no model wrote them', () => {
    expect(tableToMarkdown(grid)).toContain('\\\\( x \\| y \\\\)')
  })
})
