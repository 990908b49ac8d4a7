import { expect, it } from 'vitest'
import { printedContent } from '../../../../../../src/runtime/vlm/families/mineru/printed-content.ts'

const picture = (pictureClass: string, content: string, caption = ''): string =>
  `<|class_start|>${pictureClass}<|class_end|><|caption_start|>${caption}<|caption_end|><|content_start|>${content}<|content_end|>`

it.each([
  ['table', '<fcel>\\(x\\)<fcel>\\[y\\]<nl>', { type: 'table', content: '<table><tr><td><eq>x</eq></td><td><eq>y</eq></td></tr></table>' }],
  ['table', '<fcel>\\(x<1\\)<nl>', { type: 'table', content: '<table><tr><td><eq>x&lt;1</eq></td></tr></table>' }],
  ['table', 'no table', { type: 'table', content: '' }],
  ['table', '[Non-Text]', { type: 'table', content: '' }],
  ['equation', '\\[ a<b \\]', { type: 'equation', content: '\\[\na< b\n\\]' }],
  ['equation', '', { type: 'equation', content: '' }],
  ['list_item', '\\[ x \\]', { type: 'text', content: '\\( x \\)' }],
  ['title', '\\[ x \\]', { type: 'title', content: '\\[ x \\]' }],
  [
    'image',
    picture('flowchart', 'graph TD\n A[Start] -> B[End]'),
    { type: 'image', subType: 'flowchart', content: '```mermaid\ngraph TD\n A["Start"] --> B["End"]\n```' },
  ],
  ['chart', picture('flowchart', 'A --> B\n'.repeat(8), 'steps'), { type: 'image', subType: 'flowchart', content: 'steps' }],
  ['image', picture('pure_formula', '\\[ x_{a}_{b}+1 \\]'), { type: 'equation', content: '\\[\nx+1\n\\]' }],
  [
    'image',
    picture('pure_table', '| a | b |\n|---|---|\n| 1 | 2 |'),
    { type: 'table', content: '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>' },
  ],
  ['image', picture('pure_table', '<fcel>a<nl>'), { type: 'table', content: '<table><tr><td>a</td></tr></table>' }],
  ['image', picture('pure_table', '<table><tr><td>a</td></tr></table>'), { type: 'table', content: '<table><tr><td>a</td></tr></table>' }],
  ['image', picture('pure_table', 'no table'), { type: 'table', content: '' }],
  ['chart', picture('natural_image', 'x', 'a cat'), { type: 'image', subType: 'natural_image', content: 'a cat' }],
])('a block of type %s with the answer %j is printed as MinerU prints it', (type, answer, printed) => {
  expect(printedContent(type, answer)).toEqual(printed)
})
