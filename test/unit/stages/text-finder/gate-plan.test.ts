import { describe, expect, it } from 'vitest'
import type { PageRef } from '../../../../src/schema/page.ts'
import type { TextLayer } from '../../../../src/schema/text-layer.ts'
import { planGate } from '../../../../src/stages/text-finder/gate-plan.ts'
import { pageRef, printedWords, textLayer } from '../../../support/text-layers.ts'

const words = printedWords('These words are plain and stand upright on the page where anybody can read them without a doubt')
const scan = { box: [0, 0, 612, 792], widthPx: 2550, heightPx: 3300 } as const
const plan = (layer: TextLayer, page: Partial<PageRef> = {}) => planGate(pageRef(page), layer, 500)

describe('the plan of the gate', () => {
  it('settles plain words without looking', () => {
    expect(plan(textLayer({ words }))).toEqual({ step: 'settled', kind: 'text-layer', reasons: ['layer-clean'] })
  })

  it('settles an empty page, rules or not', () => {
    const rules = [{ direction: 'horizontal', at: 20, from: 0, to: 600, thickness: 1 }] as const
    expect(plan(textLayer({ rules }))).toEqual({ step: 'settled', kind: 'blank', reasons: ['nothing-drawn'] })
  })

  it('reads a picture document and a page that a picture covers', () => {
    const source = { ...pageRef().source, mediaType: 'image/png' }
    expect(plan(textLayer(), { source })).toMatchObject({ step: 'read-page', reasons: ['picture-document'] })
    expect(plan(textLayer({ pictures: [scan] }))).toMatchObject({ step: 'read-page', reasons: ['page-is-picture'], checkHidden: false })
    const hidden = words.map((word) => ({ ...word, hidden: 'invisible' as const }))
    expect(plan(textLayer({ pictures: [scan], words: hidden }))).toMatchObject({ step: 'read-page', checkHidden: true })
  })

  it('takes the strips of a scan for one picture', () => {
    const strips = Array.from({ length: 12 }, (_, i) => ({ box: [0, i * 66, 612, (i + 1) * 66] as const, widthPx: 2550, heightPx: 275 }))
    expect(plan(textLayer({ pictures: strips }))).toMatchObject({ step: 'read-page', reasons: ['page-is-picture'] })
  })

  it('looks at a sizeable picture beside words, not at a logo and not at a background full of print', () => {
    expect(plan(textLayer({ words, pictures: [{ box: [60, 300, 400, 500], widthPx: 900, heightPx: 500 }] }))).toMatchObject({ step: 'look' })
    expect(plan(textLayer({ words, pictures: [{ box: [60, 20, 130, 60], widthPx: 300, heightPx: 170 }] }))).toMatchObject({ step: 'settled' })
    const dense = Array.from({ length: 45 }, (_, i) => printedWords('several plain words that fill a line of print from edge', {}, 40 + i * 16)).flat()
    expect(plan(textLayer({ words: dense, pictures: [scan] }))).toMatchObject({ step: 'settled', kind: 'text-layer' })
  })

  it('reads a page whose letters may be drawn as outlines', () => {
    expect(plan(textLayer({ drawings: [[50, 50, 500, 300]] }))).toMatchObject({ step: 'read-page', reasons: ['drawn-without-words'] })
    expect(plan(textLayer({ words, drawings: [[50, 300, 500, 600]] }))).toMatchObject({ step: 'settled' })
  })

  it('reads a page whose words are mostly wrong, and looks at one where only a font is', () => {
    const bad = printedWords('\ue001\ue002\ue003\ue004\ue005 \ue006\ue007\ue008').map((word) => ({ ...word, style: 1 }))
    const styles = [...textLayer().styles, { ...textLayer().styles[0], font: 'Odd' }] as TextLayer['styles']
    expect(plan(textLayer({ words: bad, styles }))).toMatchObject({ step: 'read-page', reasons: ['private-characters'] })
    expect(plan(textLayer({ words: [...words, ...bad], styles }))).toMatchObject({ step: 'look', bad: [{ font: 'Odd' }] })
  })

  it('does as it is told: always reads, or never', () => {
    expect(plan(textLayer({ words }), { ocr: 'always' })).toMatchObject({ step: 'read-page', reasons: ['ocr-always'] })
    expect(plan(textLayer({ pictures: [scan] }), { ocr: 'never' })).toEqual({ step: 'settled', kind: 'blank', reasons: ['ocr-never'] })
    const hidden = words.map((word) => ({ ...word, hidden: 'invisible' as const }))
    expect(plan(textLayer({ pictures: [scan], words: hidden }), { ocr: 'never' })).toMatchObject({ kind: 'text-layer', showHidden: true })
  })
})
