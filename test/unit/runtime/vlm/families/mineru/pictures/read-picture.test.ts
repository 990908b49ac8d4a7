import { expect, it } from 'vitest'
import { readPictureAnswer } from '../../../../../../../src/runtime/vlm/families/mineru/pictures/picture-answer.ts'
import { readPicture } from '../../../../../../../src/runtime/vlm/families/mineru/pictures/read-picture.ts'

const answer = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<|${name}_start|>${value}<|${name}_end|>`)
    .join('')

it('fields stand between their markers, in any order', () => {
  expect(readPictureAnswer(answer({ content: ' c ', caption: ' b ', sub_class: ' Bar ', class: 'CHART' }))).toEqual({
    pictureClass: 'chart',
    subClass: 'bar',
    caption: 'b',
    content: 'c',
  })
})

it('what is not there is empty', () => {
  expect(readPictureAnswer('a nice picture')).toEqual({ pictureClass: '', subClass: '', caption: '', content: '' })
  expect(readPictureAnswer('<|class_start|>chart')).toMatchObject({ pictureClass: '' })
})

it('a content that breaks off goes to the end of the answer', () => {
  expect(readPictureAnswer(`${answer({ class: 'chart' })}<|content_start|>\n| a | b |`).content).toBe('| a | b |')
  expect(readPictureAnswer('<|content_start|>a<|content_start|>b').content).toBe('')
})

it.each([
  [
    { class: 'chart', sub_class: 'Line', caption: 'Sales', content: 'rises' },
    { type: 'chart', subKind: 'line', text: 'rises' },
  ],
  [
    { class: 'chart', sub_class: '', caption: 'Sales', content: '' },
    { type: 'chart', subKind: '', text: '' },
  ],
  [
    { class: 'pure_table', content: '<fcel>a<nl>' },
    { type: 'table', text: '<fcel>a<nl>' },
  ],
  [
    { class: 'pure_formula', content: '\\[ a \\]' },
    { type: 'equation', text: '\\[ a \\]' },
  ],
  [
    { class: 'natural_image', caption: 'a cat', content: 'meow' },
    { type: 'image', subKind: 'natural_image', text: 'a cat' },
  ],
  [
    { class: 'chemical', caption: 'benzene', content: 'C6H6' },
    { type: 'image', subKind: 'chemical', text: 'benzene' },
  ],
  [
    { class: 'flowchart', caption: 'steps', content: 'graph TD\nA --> B' },
    { type: 'flowchart', subKind: 'flowchart', text: 'graph TD\nA --> B' },
  ],
  [
    { class: 'flowchart', caption: 'steps', content: '' },
    { type: 'image', subKind: 'flowchart', text: 'steps' },
  ],
  [
    { class: 'seal', caption: 'a seal', content: 'ACME' },
    { type: 'image', subKind: 'seal', text: 'ACME' },
  ],
  [
    { class: 'seal', caption: 'a seal', content: '' },
    { type: 'image', subKind: 'seal', text: 'a seal' },
  ],
])('%j is read as %j', (fields, reading) => {
  expect(readPicture(answer(fields))).toEqual(reading)
})
