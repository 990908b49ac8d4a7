import { expect, it } from 'vitest'
import { parseMarkdownTable } from '../../../../../../../src/runtime/vlm/families/mineru/pictures/markdown-table.ts'
import { otslHtml } from '../../../../../../../src/runtime/vlm/otsl/otsl-html.ts'

const html = (content: string): string | undefined => {
  const table = parseMarkdownTable(content)
  return table && otslHtml(table, { formulas: false })
}

it('a header, a separator and rows are a table', () => {
  expect(html('| a | b |\n|---|---|\n| 1 | 2 |')).toBe('<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>')
  expect(html('a | b\n:---|---:\n')).toBe('<table><tr><th>a</th><th>b</th></tr></table>')
})

it('an escaped pipe is a character', () => {
  expect(html('| a \\| b | c |\n|---|---|')).toBe('<table><tr><th>a | b</th><th>c</th></tr></table>')
})

it.each([
  ['| a |\n|---|', 'one column'],
  ['| a | b |\n|--|--|\n| 1 | 2 |', 'a separator of two dashes'],
  ['| a | b |\n| 1 | 2 |', 'no separator'],
  ['| a | b |\n\n|---|---|', 'a blank line'],
  ['| a | b |\n|---|---|\n| 1 | 2 | 3 |', 'a row of another length'],
  ['| a | b |\n|---|---|\nend', 'a line that is no row'],
  ['', 'nothing'],
  ['|', 'a pipe'],
])('%j is none: %s', (content) => {
  expect(parseMarkdownTable(content)).toBeUndefined()
})
