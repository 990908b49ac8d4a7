import { describe, expect, it } from 'vitest'
import { prose, SyntheticPage } from '../../../../support/synthetic-page.ts'

/** A formula between two paragraphs: its parts are written by `draw`, around the baseline 150. */
function formulaPage(draw: (page: SyntheticPage) => void): SyntheticPage {
  const page = new SyntheticPage()
  page.column(prose('a', 4, 440), 60, 80)
  draw(page)
  page.column(prose('b', 4, 440), 60, 200)
  return page
}

describe('lines of formulas', () => {
  it('keeps a fraction, its sign and the number of the formula in one block', () => {
    const page = formulaPage((p) => {
      p.write('E =', 230, 150)
      p.write('d V h', 250, 143)
      p.write('m s', 252, 158)
      p.write('(1)', 480, 150)
    })
    expect(page.read().slice(1, -1)).toEqual(['formula: E = d V h m s (1)'])
  })

  it('reads the rows of a matrix behind the bracket that they stand in', () => {
    const page = formulaPage((p) => {
      p.write('( ) = ( )', 200, 150, { symbolic: true, space: 25 })
      p.write('1 2', 208, 144, { symbolic: true })
      p.write('3 4', 208, 156, { symbolic: true })
      p.write('5 6', 298, 144, { symbolic: true })
      p.write('7 8', 298, 156, { symbolic: true })
    })
    expect(page.read().slice(1, -1)).toEqual(['formula: ( 1 2 3 4 ) = ( 5 6 7 8 )'])
  })

  it('puts the limits under a sign behind it, in a line of text too', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 3, 440), 60, 80)
    page.write('where A = U is the sum of all', 60, 128)
    page.write('B⊆C', 100, 140, { size: 6, symbolic: true })
    page.column(prose('b', 3, 440), 60, 160)
    expect(page.read().join('\n')).toContain('A = U B⊆C is the sum')
  })

  it('leaves lines of text apart, however close the labels beside them stand', () => {
    const page = new SyntheticPage()
    page.write('Name of the inlet', 60, 100)
    page.write('Merrow Quay', 300, 107)
    expect(page.blocks()).toHaveLength(2)
  })
})
