import { describe, expect, it } from 'vitest'
import { SyntheticPage } from '../../../../support/synthetic-page.ts'

describe('lists of entries', () => {
  it('give a block to each entry of a subject index and keep its further pages with it', () => {
    const page = new SyntheticPage()
    const entries = ['amber, 3', 'birch, 12, 14', 'cedar, 7–9', 'delta', 'ember, 21', 'fjord, 4', 'grove, 30', 'hazel, 41, 42,']
    page.column(entries, 60, 150)
    page.write('43', 80, 246)
    expect(page.read()).toEqual([...entries.slice(0, -1).map((e) => `index_entry: ${e}`), 'index_entry: hazel, 41, 42, 43'])
  })

  it('give a block to each term with the meaning beside it', () => {
    const page = new SyntheticPage()
    for (const [i, term] of ['A', 'Bee', 'C', 'D', 'E'].entries()) {
      page.write(term, 60, 150 + 12 * i)
      page.write(`meaning of the sign ${i}`, 130, 150 + 12 * i)
    }
    expect(page.blocks().filter((b) => b.kind === 'text')).toHaveLength(5)
  })
})
