import { describe, expect, it } from 'vitest'
import type { LineReader } from '../../../../src/runtime/text-reader.ts'
import type { TextRegion } from '../../../../src/schema/page.ts'
import { turnOfScan, turnOfWords } from '../../../../src/stages/text-finder/page-angle.ts'
import { paintedPage } from '../../../support/printed-page.ts'
import { printedWords } from '../../../support/text-layers.ts'

const picture = paintedPage(100, 100, () => 255)
const signal = new AbortController().signal

/** Where the lines of a page begin and run, in degrees clockwise; the reader reads well only in that direction. */
const lines = (angle: 0 | 90 | 180 | 270): TextRegion[] =>
  Array.from({ length: 9 }, (_, i) => {
    const a = 0.1 + i * 0.09
    return { score: 1, corners: angle % 180 === 0 ? [0.1, a, 0.9, a, 0.9, a + 0.05, 0.1, a + 0.05] : [a, 0.1, a + 0.05, 0.1, a + 0.05, 0.9, a, 0.9] }
  })
function readerOf(angle: number): LineReader & { asked: number } {
  const reader = {
    model: 'fake',
    asked: 0,
    async read(_: unknown, regions: readonly TextRegion[]) {
      reader.asked += regions.length
      return regions.map(({ corners: [x0, y0, x1, y1] }) => {
        const direction = (Math.round((Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI) + 360) % 360
        return { text: 'a line of print', confidence: direction === angle ? 0.97 : 0.55, turned: false }
      })
    },
  }
  return reader
}

describe('the turn of a scan', () => {
  it.each([
    [0, 0],
    [90, 270],
    [180, 180],
    [270, 90],
  ] as const)('of lines that run at %i degrees is %i', async (angle, turn) => {
    expect(await turnOfScan(picture, lines(angle), readerOf(angle), signal)).toBe(turn)
  })

  it('costs three lines on a page that stands upright', async () => {
    const reader = readerOf(0)
    await turnOfScan(picture, lines(0), reader, signal)
    expect(reader.asked).toBe(3)
  })

  it('is none where the reader knows neither way', async () => {
    const blind: LineReader = { model: 'blind', read: async (_, regions) => regions.map(() => ({ text: '?', confidence: 0.3, turned: false })) }
    expect(await turnOfScan(picture, lines(0), blind, signal)).toBe(0)
  })

  it('counts a line that read better turned over against the way it was asked for', async () => {
    const turner: LineReader = {
      model: 'turner',
      read: async (_, regions) => regions.map(({ corners }) => ({ text: 'a line', confidence: 0.95, turned: corners[0] < corners[2] })),
    }
    expect(await turnOfScan(picture, lines(0), turner, signal)).toBe(180)
  })
})

describe('the turn of words', () => {
  it('follows most of the characters, and none when they do not agree', () => {
    const at = (angle: number, count: number) => printedWords('word '.repeat(count).trim(), { angle })
    expect(turnOfWords(at(90, 10))).toBe(270)
    expect(turnOfWords([...at(270, 10), ...at(0, 2)])).toBe(90)
    expect(turnOfWords([...at(90, 5), ...at(0, 5)])).toBe(0)
    expect(turnOfWords(at(0, 5).map((word) => ({ ...word, vertical: true as const })))).toBe(0)
    expect(turnOfWords([])).toBe(0)
  })
})
