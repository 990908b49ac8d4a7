import { describe, expect, it } from 'vitest'
import type { Word } from '../../../../src/schema/text-layer.ts'
import { fontEvidence } from '../../../../src/stages/text-finder/font-evidence.ts'
import { plainStyle, printedWords, textLayer } from '../../../support/text-layers.ts'

const judge = (words: readonly Word[], style = plainStyle) =>
  fontEvidence(
    textLayer({ words, styles: [style] }),
    words.map((_, i) => i),
  )[0]

describe('the evidence against a font', () => {
  it.each([
    ['private-use words', '\ue001\ue002\ue003 \ue004\ue005\ue006\ue007 \ue008\ue009\ue00a', 'private-characters'],
    ['glyph names', '/gid00020 /gid00033 (cid:44) /gid00035', 'glyph-names'],
    ['control codes', '\u0003\u0004ab\u0007\u0008 \u0001\u0002\u0005x', 'control-characters'],
  ])('convicts %s', (_, text, reason) => {
    expect(judge(printedWords(text))).toMatchObject({ judgement: 'wrong', reasons: [reason] })
  })

  it('convicts a font most of whose characters have no Unicode value', () => {
    const words = printedWords('abcd efgh ijkl').map((word) => ({ ...word, unmapped: 2 }))
    expect(judge(words)).toMatchObject({ judgement: 'wrong', reasons: ['unmapped-characters'] })
  })

  it('convicts a constant shift', () => {
    const text = 'Information about pretraining corpora used to train the current best performing language models'
    const cipher = text.replace(/\S/g, (c) => String.fromCharCode(c.charCodeAt(0) - 1))
    expect(judge(printedWords(cipher))).toMatchObject({ judgement: 'wrong', reasons: ['shifted-letters'] })
    expect(judge(printedWords(text))).toMatchObject({ judgement: 'sound' })
  })

  it('takes the figures of a table for figures, though they can be shifted into letters', () => {
    const figures = Array.from({ length: 60 }, (_, i) => `${(i * 7919) % 10_000} ${(i * 31) % 100},${(i * 17) % 10}0 - 1,000.5`).join(' ')
    expect(judge(printedWords(figures))).toMatchObject({ judgement: 'sound' })
  })

  it('doubts words of mixed alphabets', () => {
    expect(judge(printedWords('ѕесrеt меssаgе hіddеn wоrdѕ аmоng'))).toMatchObject({ judgement: 'doubtful', reasons: ['mixed-scripts'] })
  })

  it('lets bullets, symbol fonts and plot marks be', () => {
    expect(judge(printedWords('\uf0b7 \uf0b7 \uf0b7 \uf0b7 \uf0b7 \uf0b7'))).toMatchObject({ judgement: 'sound' })
    const symbols = { ...plainStyle, font: 'CMSY10', symbolic: true }
    const words = printedWords('\ue001\ue002\ue003 \ue004\ue005\ue006').map((word) => ({ ...word, unmapped: 3 }))
    expect(judge(words, symbols)).toMatchObject({ judgement: 'sound' })
  })

  it('does not judge alphabets that no reader of pictures here knows', () => {
    const words = printedWords('حبيبي حبيبي \ufffd\ufffd').map((word) => ({ ...word, unmapped: 1 }))
    expect(judge(words)).toMatchObject({ judgement: 'sound' })
  })

  it('judges each font by its own words', () => {
    const good = printedWords('These words are perfectly plain')
    const bad = printedWords('\ue001\ue002\ue003\ue004 \ue005\ue006\ue007').map((word) => ({ ...word, style: 1 }))
    const layer = textLayer({ words: [...good, ...bad], styles: [plainStyle, { ...plainStyle, font: 'Odd' }] })
    const found = fontEvidence(
      layer,
      layer.words.map((_, i) => i),
    )
    expect(found.map(({ font, judgement, styles }) => [font, judgement, styles])).toEqual([
      ['Serif', 'sound', [0]],
      ['Odd', 'wrong', [1]],
    ])
  })
})
