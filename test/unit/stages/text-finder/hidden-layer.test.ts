import { describe, expect, it } from 'vitest'
import type { LineReader } from '../../../../src/runtime/text-reader.ts'
import type { TextRegion } from '../../../../src/schema/page.ts'
import type { TextLayer } from '../../../../src/schema/text-layer.ts'
import { hasDebris, hiddenLayerAgrees, showHiddenWords } from '../../../../src/stages/text-finder/hidden-layer.ts'
import { paintedPage } from '../../../support/printed-page.ts'
import { printedWords, textLayer } from '../../../support/text-layers.ts'

const printed = Array.from({ length: 10 }, (_, i) => `line number ${i} that reports creep into camp`)
const layer = (lines: readonly string[]): TextLayer =>
  textLayer({ words: lines.flatMap((line, i) => printedWords(line, { hidden: 'invisible' }, 100 + i * 40)) })
const all = (of: TextLayer) => of.words.map((_, i) => i)
const regions: TextRegion[] = printed.map((_, i) => {
  const [y0, y1] = [(88 + i * 40) / 792, (106 + i * 40) / 792]
  return { score: 1, corners: [0.05, y0, 0.95, y0, 0.95, y1, 0.05, y1] }
})
const picture = paintedPage(612, 792, () => 255)
/** Reads what is printed, line by line. */
const reader: LineReader = {
  model: 'fake',
  read: async (_, wanted) => wanted.map((region) => ({ text: printed[regions.indexOf(region)] ?? '', confidence: 0.97, turned: false })),
}
const agrees = (of: TextLayer) => hiddenLayerAgrees(of, all(of), picture, regions, reader, new AbortController().signal)

describe('an invisible text layer', () => {
  it('agrees when it says what the picture shows', async () => {
    expect(await agrees(layer(printed))).toBe(true)
  })

  it('disagrees when its words are bad, or when it lacks lines of the picture', async () => {
    expect(await agrees(layer(printed.map((line) => line.replace(/e/g, 'c').replace(/t/g, 'l'))))).toBe(false)
    expect(await agrees(layer(printed.slice(0, 5)))).toBe(false)
  })

  it('disagrees when nothing can be read to compare it with', async () => {
    const blind: LineReader = { model: 'blind', read: async (_, wanted) => wanted.map(() => ({ text: '', confidence: 0, turned: false })) }
    const sound = layer(printed)
    expect(await hiddenLayerAgrees(sound, all(sound), picture, regions, blind, new AbortController().signal)).toBe(false)
  })

  it('is known by the scraps of a bad reader', () => {
    const bad = layer([...printed, 'D ra g o o n', '&»“«■ t>. .■. C'])
    expect(hasDebris(bad, all(bad))).toBe(true)
    const sound = layer([...printed, 'a note: I am here ... (see p. 5) -- A/B'])
    expect(hasDebris(sound, all(sound))).toBe(false)
  })

  it('counts as seen once it is trusted, but for words hidden for other reasons', () => {
    const words = [...printedWords('under the scan', { hidden: 'invisible' }), ...printedWords('inject', { hidden: 'same-colour' })]
    expect(showHiddenWords(textLayer({ words })).words.map((word) => word.hidden)).toEqual([undefined, undefined, undefined, 'same-colour'])
  })
})
