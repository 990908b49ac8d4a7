import { describe, expect, it } from 'vitest'
import { mineruFamily } from '../../../../../src/runtime/vlm/families/mineru/mineru-family.ts'
import { teleOcr } from '../../../../../src/runtime/vlm/families/teleocr/teleocr.ts'
import { unlimitedOcr } from '../../../../../src/runtime/vlm/families/unlimited-ocr/unlimited-ocr.ts'
import type { BlockAnswer, TwoStepFamily } from '../../../../../src/runtime/vlm/family.ts'
import { type GuardOptions, openGuard } from '../../../../../src/runtime/vlm/guard/open-guard.ts'
import { blockAnswer, pageAnswer } from '../../../../support/vlm/page-grammars.ts'
import { type ScriptedBlock, type ScriptedPage, scriptedPage } from '../../../../support/vlm/page-script.ts'

const pages = Array.from({ length: 100 }, (_, seed) => scriptedPage(seed))
const kinds = {
  title: 'heading',
  text: 'text',
  table: 'table',
  equation: 'formula',
  image: 'figure',
  header: 'page_header',
  page_number: 'page_number',
} as const

const wordsOf = ({ text, cells }: ScriptedBlock): string => (cells === undefined ? text : cells.map((row) => row.join('\t').trimEnd()).join('\n'))
const expected = ({ blocks }: ScriptedPage) => blocks.map((block) => [kinds[block.kind], block.box.join(' '), block.kind === 'image' ? '' : wordsOf(block)])
const thousandths = (box: readonly number[]): string => box.map((side) => Math.round(side * 1000)).join(' ')

/** Fails if an honest answer is cut. */
function expectHeardOut(answer: string, options: Omit<GuardOptions, 'mostCharacters'>): void {
  const guard = openGuard({ mostCharacters: 100_000, ...options })
  for (let at = 0; at < answer.length; at += 4) guard.push(answer.slice(at, at + 4))
  expect(guard.reason).toBeUndefined()
}

describe('pages that are known', () => {
  it('are what Unlimited-OCR reads', () => {
    for (const page of pages) {
      const answer = pageAnswer('unlimited-ocr', page)
      expectHeardOut(answer, { lines: true, boxes: true })
      const parser = unlimitedOcr.openParser()
      const blocks = [...parser.push(answer), ...parser.end(false)]
      expect(blocks.map(({ kind, box, content }) => [kind, thousandths(box), content?.text])).toEqual(expected(page))
      expect(parser.dropped).toBe(0)
    }
  })

  it.each([
    ['MinerU2.5', mineruFamily],
    ['TeleOCR', teleOcr],
  ] as [string, TwoStepFamily][])('are what %s reads', (_, family) => {
    for (const page of pages) {
      const layout = pageAnswer(family.family, page)
      expectHeardOut(layout, { element: family.layoutElement })
      const { blocks, dropped } = family.parseLayout(layout)
      expect(dropped).toBe(0)
      const answers = new Map<number, BlockAnswer>()
      for (const index of family.planAsks(blocks, { imageAnalysis: false }).keys()) {
        const text = blockAnswer(page.blocks[index] as ScriptedBlock)
        expectHeardOut(text, { lines: true })
        answers.set(index, { text, finish: 'stop' })
      }
      const readings = family.finishPage(blocks, answers, { imageAnalysis: false })
      expect(readings.map(({ of, box, content }) => [content?.kind ?? blocks[of[0] ?? 0]?.kind, thousandths(box), content?.text ?? ''])).toEqual(expected(page))
    }
  })
})
