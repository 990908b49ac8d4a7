import { describe, expect, it } from 'vitest'
import { headingNumber } from '../../../src/text/heading-number.ts'

describe('headingNumber', () => {
  it.each([
    ['1 Introduction', '1', 1, [1], 'Introduction'],
    ['1. Introduction', '1.', 1, [1], 'Introduction'],
    ['2.3 Methods', '2.3', 2, [2, 3], 'Methods'],
    ['2.3.4. Details', '2.3.4.', 3, [2, 3, 4], 'Details'],
    ['A.1 Proofs', 'A.1', 2, [1, 1], 'Proofs'],
    ['B. Results', 'B.', 1, [2], 'Results'],
    ['IV. Results', 'IV.', 1, [4], 'Results'],
    ['Chapter 3: The way', 'Chapter 3', 1, [3], 'The way'],
    ['CHAPTER IV', 'CHAPTER IV', 1, [4], ''],
    ['Chapter Two', 'Chapter Two', 1, [2], ''],
    ['Part I The start', 'Part I', 1, [1], 'The start'],
    ['Appendix B. Data', 'Appendix B', 1, [2], 'Data'],
    ['Section 2.1 Scope', 'Section 2.1', 3, [2, 1], 'Scope'],
    ['§ 4 Haftung', '§ 4', 2, [4], 'Haftung'],
    ['第一章 总则', '第一章', 1, [1], '总则'],
    ['第2節 方法', '第2節', 2, [2], '方法'],
    ['第十二条 规定', '第十二条', 3, [12], '规定'],
    ['제3장 결과', '제3장', 1, [3], '결과'],
    ['一、总则', '一、', 1, [1], '总则'],
    ['（二）范围', '（二）', 2, [2], '范围'],
    ['3 方法', '3', 1, [3], '方法'],
  ])('reads %j', (text, label, depth, parts, rest) => {
    expect(headingNumber(text)).toMatchObject({ label, depth, parts, rest })
  })

  it.each(['3.5 mm of rain', '10 people came', '2019 Report', 'A study of', 'I think', 'Introduction', 'Section 2 describes it', '12 %', '', 'chapter 3'])(
    'sees none in %j',
    (text) => {
      expect(headingNumber(text)).toBeUndefined()
    },
  )
})
