import { describe, expect, it } from 'vitest'
import { spelledOut, teds, tedsTree } from '../../support/teds.ts'

const cell = (row: number, column: number, text: string, rowSpan = 1, columnSpan = 1) => ({ row, column, rowSpan, columnSpan, text })
const square = [cell(0, 0, 'a'), cell(0, 1, 'b'), cell(1, 0, 'c'), cell(1, 1, 'd')]

describe('teds', () => {
  it('is 1 for equal tables, whatever blanks and case', () => {
    expect(teds(tedsTree(square), tedsTree([cell(0, 0, 'A'), cell(0, 1, ' b'), cell(1, 0, 'c'), cell(1, 1, 'd')]))).toBe(1)
  })
  it('costs one node for a missing cell, of the nodes of the larger tree', () => {
    // table + 2 rows + 4 cells
    expect(teds(tedsTree(square), [tedsTree(square)[0] ?? [], [{ text: 'c', rowSpan: 1, columnSpan: 1 }]])).toBeCloseTo(1 - 1 / 7)
  })
  it('costs the edit distance over the longer text for a changed text', () => {
    expect(teds(tedsTree([cell(0, 0, 'abcd')]), tedsTree([cell(0, 0, 'abxy')]))).toBeCloseTo(1 - 0.5 / 3)
  })
  it('costs a node for other spans', () => {
    expect(
      teds(tedsTree([cell(0, 0, 'a', 1, 2), cell(1, 0, 'b'), cell(1, 1, 'c')]), tedsTree([cell(0, 0, 'a'), cell(1, 0, 'b'), cell(1, 1, 'c')])),
    ).toBeLessThan(1)
  })
  it('leaves out rows and columns without text', () => {
    expect(tedsTree([...square, cell(2, 0, ''), cell(2, 1, ' ')])).toHaveLength(2)
  })
  it('spells spans out, repeated or once', () => {
    expect(spelledOut([cell(0, 0, 'a', 1, 2)], true).map((c) => c.text)).toEqual(['a', 'a'])
    expect(spelledOut([cell(0, 0, 'a', 1, 2)], false).map((c) => c.text)).toEqual(['a', ''])
  })
})
