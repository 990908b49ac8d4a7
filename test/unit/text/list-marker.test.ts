import { describe, expect, it } from 'vitest'
import { listMarker } from '../../../src/text/list-marker.ts'

describe('listMarker', () => {
  it.each([
    ['• First', '•', 'First', 'bullet', undefined],
    ['\uf0b7 First', '\uf0b7', 'First', 'bullet', undefined],
    ['▪First', '▪', 'First', 'bullet', undefined],
    ['- an item', '-', 'an item', 'bullet', undefined],
    ['– an item', '–', 'an item', 'bullet', undefined],
    ['* an item', '*', 'an item', 'bullet', undefined],
    ['1. One', '1.', 'One', 'decimal', 1],
    ['12) Twelve', '12)', 'Twelve', 'decimal', 12],
    ['(3) Three', '(3)', 'Three', 'decimal', 3],
    ['[4] A. Author, A title', '[4]', 'A. Author, A title', 'decimal', 4],
    ['2.计算机视觉', '2.', '计算机视觉', 'decimal', 2],
    ['３．日本', '３．', '日本', 'decimal', 3],
    ['1、数据', '1、', '数据', 'decimal', 1],
    ['1.2. Sub item', '1.2.', 'Sub item', 'multilevel', 2],
    ['a) first', 'a)', 'first', 'lower-letter', 1],
    ['(b) second', '(b)', 'second', 'lower-letter', 2],
    ['c. third', 'c.', 'third', 'lower-letter', 3],
    ['iv. fourth', 'iv.', 'fourth', 'lower-roman', 4],
    ['(ii) second', '(ii)', 'second', 'lower-roman', 2],
    ['IV. Fourth', 'IV.', 'Fourth', 'upper-roman', 4],
    ['б) второй', 'б)', 'второй', 'lower-letter', 2],
    ['① 一', '①', '一', 'circled', 1],
    ['⑿ twelve', '⑿', 'twelve', 'circled', 12],
    ['一、总则', '一、', '总则', 'cjk', 1],
    ['（十二）其他', '（十二）', '其他', 'cjk', 12],
    ['나. 둘째', '나.', '둘째', 'cjk', 2],
    ['☐ open', '☐', 'open', 'checkbox', undefined],
    ['[x] done', '[x]', 'done', 'checkbox', undefined],
    ['•', '•', '', 'bullet', undefined],
    ['3.', '3.', '', 'decimal', 3],
  ])('splits %j', (text, marker, rest, style, ordinal) => {
    expect(listMarker(text)).toMatchObject({ marker, rest, style })
    expect(listMarker(text)?.ordinal).toBe(ordinal)
    expect(listMarker(text)?.unsure).toBeUndefined()
  })

  it.each([
    '3.5 mm thick',
    '2019. A year',
    '1999',
    '-5 °C',
    '- 12 -',
    'e.g. this',
    'Hello. World',
    'oh well',
    'civil) war',
    '1.Text',
    '– 5.3',
    '',
    ' ',
    'I am',
    'mix. of',
  ])('sees none in %j', (text) => {
    expect(listMarker(text)).toBeUndefined()
  })

  it.each(['A. Smith', 'o homem velho', '— Oui', '3. Mai 2020'])('says that %j is undecidable', (text) => {
    expect(listMarker(text)?.unsure).toBe(true)
  })
})
