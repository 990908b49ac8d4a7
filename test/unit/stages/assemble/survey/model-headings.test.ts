import { describe, expect, it } from 'vitest'
import type { PageBlock } from '../../../../../src/schema/page.ts'
import type { HeadingToLevel, TitleLeveller } from '../../../../../src/stages/assemble/survey/title-leveller.ts'
import { assembled } from '../../../../support/assembled.ts'
import { modelBlock, page } from '../../../../support/page-results.ts'

/** A block of the page of 612 x 792 points, as wide and high as its text printed in this size. */
function printed(kind: 'heading' | 'text', text: string, sizePt: number, y: number, widthPt = 470): PageBlock {
  const lines = Math.max(1, Math.ceil((text.length * sizePt * 0.5) / widthPt))
  const width = Math.min(widthPt, text.length * sizePt * 0.5)
  return modelBlock({ kind, text, box: [0.1, y, 0.1 + width / 612, y + (lines * 1.2 * sizePt) / 792] })
}
const body = (y: number) => printed('text', 'Words that say what is to be said of it, and a few more. '.repeat(8), 10, y)
const levels = async (...blocks: PageBlock[]) => {
  const { document } = await assembled([page(0, blocks)])
  return document.blocks.filter((b) => b.kind === 'heading').map((b) => b.level)
}

describe('headings that a model read, without a size', () => {
  it('are levelled by the size that their boxes show, however many lines they take', async () => {
    const long = 'A section whose heading is so long that it has to be printed in two lines since one does not hold it'
    const blocks = [
      printed('heading', 'Rivers of the north', 26, 0.05),
      body(0.12),
      printed('heading', 'Where they rise', 16, 0.3),
      body(0.34),
      printed('heading', long, 16, 0.5),
      body(0.56),
      printed('heading', 'By rain', 12, 0.7),
      body(0.74),
    ]
    expect(await levels(...blocks)).toEqual([1, 2, 2, 3])
  })

  it('are levelled by their numbers where these nest', async () => {
    const blocks = ['1 Rivers', '1.1 Sources', '1.1.1 Rain', '2 Lakes', '2.1 Shores'].flatMap((text, i) => [
      printed('heading', text, 14, 0.05 + i * 0.18),
      body(0.08 + i * 0.18),
    ])
    expect(await levels(...blocks)).toEqual([1, 2, 3, 1, 2])
  })

  it('give the document its title', async () => {
    const { document } = await assembled([
      page(0, [printed('heading', 'Rivers of the north', 26, 0.05), body(0.12), printed('heading', 'Sources', 14, 0.3), body(0.34)]),
    ])
    expect(document.title).toBe('Rivers of the north')
  })
})

describe('headings whose levels somebody gives', () => {
  const blocks = () => [printed('heading', 'Rivers', 20, 0.05), body(0.12), printed('heading', 'Sources', 12, 0.3), body(0.34)]
  const levelled = async (levels: readonly number[] | undefined) => {
    const asked: (readonly HeadingToLevel[])[] = []
    const titles: TitleLeveller = {
      async levels(headings) {
        asked.push(headings)
        return levels
      },
    }
    const told: boolean[] = []
    const { document } = await assembled([page(0, blocks())], {}, { titles, onLevels: (each) => told.push(each) })
    return { asked, told, flags: document.flags, levels: document.blocks.filter((b) => b.kind === 'heading').map((b) => b.level) }
  }

  it('have them', async () => {
    const { asked, told, flags, levels } = await levelled([2, 4])
    expect({ levels, told, flags }).toEqual({ levels: [2, 4], told: [true], flags: [] })
    expect(asked).toMatchObject([[{ text: 'Rivers', pageNumber: 1 }, { text: 'Sources' }]])
    expect(asked[0]?.[0]?.sizePt).toBeGreaterThan(asked[0]?.[1]?.sizePt ?? 0)
  })

  it('keep their own where nobody can tell', async () => {
    expect(await levelled(undefined)).toMatchObject({ levels: [1, 2], told: [false], flags: ['fallback'] })
    expect(await levelled([3])).toMatchObject({ levels: [1, 2], told: [false], flags: ['fallback'] })
  })
})
