import { expect, it } from 'vitest'
import { cleanChart } from '../../../../../../../src/runtime/vlm/families/mineru/pictures/chart-content.ts'
import { isRepetitive } from '../../../../../../../src/runtime/vlm/families/mineru/pictures/chart-repetition.ts'

const table = '| Year | Sales |\n|---|---|\n| 2024 | 7 |'
const normal = '| Year | Sales |\n| --- | --- |\n| 2024 | 7 |'
const line = 'a line of more than thirty characters'

it.each([[table], ['prose about a chart'], [`above\n${table}\nbelow`], [`${table}\n\n${table.replace('7', '8')}`], ['']])('%j is kept as it is', (content) => {
  expect(cleanChart(content)).toBe(content)
})

it.each([
  ['| a | b |\n|---|---|\n| 1 | 2 | 3 |', 'a row of another length'],
  ['| a | b |\n| 1 | 2 |', 'rows without a separator'],
  ['| a | b | c |\n|---|---|\n| 1 | 2 |', 'a header of another length'],
  ['|---|---|\n| 1 | 2 |', 'no header'],
])('%j is nothing: %s', (content) => {
  expect(cleanChart(content)).toBe('')
})

it.each([
  [`${table}\n\n\n\n\n\n| 1 | 2 |`, 'six line breaks'],
  [`${table}\n\nx\\|y`, 'an escaped pipe'],
  [`${table}\n${line}\n${line}`, 'a long line twice'],
  [`${table}\nshort\nshort\nshort`, 'a line three times'],
  [`${table}\n${[1, 2, 3, 4].map((nth) => `${line}\n${nth}`).join('\n')}`, 'a long line four times'],
  [`${table}\n${'no '.repeat(8)}`, 'a word eight times'],
  [`${table}\n${'x'.repeat(20)}`, 'a letter twenty times'],
  [`${table}\n| 2025 | ${'y'.repeat(10)}${' more'.repeat(70)} |`, 'a cell of 300 characters'],
  [`${table}\n| 2025 | ${'one two; '.repeat(8)} |`, 'a piece eight times in a cell'],
])('%j is its largest sound table: %s', (content) => {
  expect(cleanChart(content)).toBe(normal)
})

it('one unit over and over is found', () => {
  expect(isRepetitive('Words without an end.'.repeat(4))).toBe(true)
  expect(isRepetitive('Words without an end.'.repeat(3))).toBe(false)
  expect(isRepetitive(`${'Words without an end.'.repeat(4)}!`)).toBe(false)
})

it('repetition without a table stays', () => {
  expect(cleanChart('no '.repeat(8).trim())).toBe('no '.repeat(8).trim())
})

it('of several tables the one with most rows is taken, fixed where it can be', () => {
  expect(cleanChart(`${table}\n\nx \\| y\n\n| a | b |\n| 1 | 2 |\n| 3 | 4 |`)).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |')
})

it('a hundred thousand characters of anything take a walk or few', () => {
  for (const piece of ['|', '| a ', '|---|---|\n', '| a | b |\n', '\n', 'a', 'ab ', ' ', '- ', '-', 'ab|\n', '::', ';']) {
    expect(() => cleanChart(`${piece.repeat(Math.ceil(100_000 / piece.length))}x`)).not.toThrow()
  }
})
