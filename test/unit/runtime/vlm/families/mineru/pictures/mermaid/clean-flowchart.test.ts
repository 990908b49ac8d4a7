import { expect, it } from 'vitest'
import { cleanFlowchart } from '../../../../../../../../src/runtime/vlm/families/mineru/pictures/mermaid/clean-flowchart.ts'

it.each([
  ['graph TD\n A[Start] -> B[End]', 'graph TD\n A["Start"] --> B["End"]'],
  ['Top Box --> |go (now)| Next Step', 'TopBox["Top Box"] -->|go now| NextStep["Next Step"]'],
  ['A --> B\nA -->bad| C', 'A --> B'],
  ['subgraph 1) Part\nA --> B\nend', 'subgraph sg_1_Part["1) Part"]\nA --> B\nend'],
  ['```mermaid\ngraph TD\nA --> B\n```', 'graph TD\nA --> B'],
  ['mermaid\ngraph TD\nA --> B', 'graph TD\nA --> B'],
  ['grap TD', 'graph TD'],
  ['graphh TD', 'graph TD'],
  ['flowchartt LR', 'flowchart LR'],
  ['A - -> B\nB -- > C\nC <- -> D', 'A --> B\nB --> C\nC <--> D'],
  ['A->B', 'A->B'],
  ['A["say "hi""] --> B', 'A["say &quot;hi&quot;"] --> B'],
  ['A[one\ntwo]', 'A["one<br>two"]'],
  ['my node[x]', 'my_node["x"]'],
  ['A --- B[x]', 'A --- B["x"]'],
  ['A["x [1]"] --> B', 'A["x [1]"] --> B'],
  ['Top Box --> A\nTop Box --> B', 'TopBox["Top Box"] --> A\nTopBox --> B'],
  ['A --> B --> New Node; C --> D', 'A --> B --> NewNode["New Node"]; C --> D'],
  ['', ''],
])('%j becomes %j', (content, code) => {
  expect(cleanFlowchart(content)).toBe(code)
})

it.each([
  ['A --> B\n'.repeat(8), 'an edge eight times'],
  [Array.from({ length: 8 }, (_, nth) => `A${nth} --> B${nth}["same"]`).join('\n'), 'a label on eight edges'],
  ['graph TD\nsame\nsame\nsame\nsame\nsame\nsame\nsame\nsame', 'a line eight times'],
  [`A["${'same<br>'.repeat(8)}"]`, 'a line eight times in a label'],
  [`A["${Array.from({ length: 40 }, (_, nth) => (nth % 2 ? 'same' : `${nth}`)).join('\\n')}"]`, 'a line twenty times in a label'],
  [`A["${Array.from({ length: 20 }, (_, nth) => `${nth % 4}${'x'.repeat(110)}`).join('\\n')}"]`, 'a label of two thousand characters in four lines'],
  [`N${'ode'.repeat(45)} --> B`, 'an id of more than 128 characters'],
  [`${'An'.repeat(8)} --> B`, 'an id that stutters'],
])('%j is a model that repeats itself: %s', (content) => {
  expect(cleanFlowchart(content)).toBe('')
})

it('seven equal edges are no repetition', () => {
  expect(cleanFlowchart('A --> B\n'.repeat(7))).toBe('A --> B\n'.repeat(7).trim())
})

it('a hundred thousand characters of anything take a walk or few', () => {
  for (const piece of [
    '[',
    ']',
    '["',
    '"]',
    'a',
    'a ',
    '-',
    '-->',
    'a b --> c d\n',
    '- ->',
    ' ->',
    '<- - ',
    '|',
    '-->|',
    '"',
    "'",
    '`',
    'A[',
    'A["x"]',
    'subgraph 1)\n',
    ';',
  ]) {
    const text = piece.repeat(Math.ceil(100_000 / piece.length))
    expect(() => cleanFlowchart(text)).not.toThrow()
    expect(() => cleanFlowchart(text.replaceAll('\n', ' 1\n2'))).not.toThrow()
  }
  const edges = Array.from({ length: 3000 }, (_, nth) => `n ${nth} x --> n${nth}  x["l${nth}"]`).join('\n')
  expect(cleanFlowchart(edges).split('\n')).toHaveLength(3000)
})
