import { describe, expect, it } from 'vitest'
import type { Picture } from '../../../../../src/runtime/document-reader.ts'
import { unlimitedOcr } from '../../../../../src/runtime/vlm/families/unlimited-ocr/unlimited-ocr.ts'
import type { FoundBlock } from '../../../../../src/runtime/vlm/page-reader.ts'
import { OnePassReader } from '../../../../../src/runtime/vlm/readers/one-pass-reader.ts'
import { PagestreamError } from '../../../../../src/schema/failure.ts'
import { type FakeAsker, fakeAsker } from './fake-asker.ts'

const picture: Picture = { data: new Uint8Array(400 * 600).fill(255), width: 400, height: 600, channels: 1, dpi: 200 }
const page = async () => picture
const isPrinted = (x: number, y: number) => x > 40 && x < 360 && y % 20 < 10 && x % 12 < 9 && ((y > 40 && y < 250) || (y > 350 && y < 560))
/** Lines of print in two paragraphs, far apart. */
const printed: Picture = { ...picture, data: picture.data.map((_, at) => (isPrinted(at % 400, Math.floor(at / 400)) ? 0 : 255)) }
const answer = '<|det|>title [100, 50, 900, 90]<|/det|>A title\n<|det|>text [100, 120, 900, 300]<|/det|>Some text\n'
const readerOf = (asker: FakeAsker, hasWindow = false) => new OnePassReader({ family: unlimitedOcr, asker, hasWindow: () => hasWindow })
const textsOf = (blocks: readonly FoundBlock[]) => blocks.map(({ content }) => content?.text)

describe('a page read in one pass', () => {
  it('has its blocks with what they say, told before the answer is over', async () => {
    const asker = fakeAsker(() => answer)
    const told: (string | undefined)[] = []
    const blocks = await readerOf(asker).layout(page, { onBlock: ({ content }, index) => told.push(`${index} ${content?.text}`) })
    expect(blocks.map(({ kind, box }) => [kind, box])).toEqual([
      ['heading', [0.1, 0.05, 0.9, 0.09]],
      ['text', [0.1, 0.12, 0.9, 0.3]],
    ])
    expect(told).toEqual(['0 A title', '1 Some text'])
    expect(asker.asked).toHaveLength(1)
  })

  it('has nothing more to read', async () => {
    const asker = fakeAsker(() => answer)
    const reader = readerOf(asker)
    const blocks = await reader.layout(page, {})
    const readings = await reader.read(page, blocks)
    expect(readings.map(({ of, content }) => [of, content?.text])).toEqual([
      [[0], 'A title'],
      [[1], 'Some text'],
    ])
    expect(asker.asked).toHaveLength(1)
  })

  it('is asked for again where an answer has words and no block, and fails as the model after that', async () => {
    const asker = fakeAsker((_, times) => (times === 0 ? 'What a page!' : answer))
    expect(await readerOf(asker).layout(page, {})).toHaveLength(2)
    await expect(readerOf(fakeAsker(() => 'What a page!')).layout(page, {})).rejects.toMatchObject({ code: 'answer-invalid' })
  })

  it('is asked for once more where the answer is empty, and is empty after that', async () => {
    const asker = fakeAsker((_, times) => (times === 0 ? '' : answer))
    expect(await readerOf(asker).layout(page, {})).toHaveLength(2)
    const empty = fakeAsker(() => '')
    expect(await readerOf(empty).layout(page, {})).toEqual([])
    expect(empty.asked).toHaveLength(2)
  })

  it('is asked for once more where much of the answer is no block, and says what was lost', async () => {
    const broken = `${answer}<|det|>text [1, 2]<|/det|>No box\n`
    const asker = fakeAsker((_, times) => (times === 0 ? broken : answer))
    const mended = await readerOf(asker).layout(page, {})
    expect([textsOf(mended), mended.flatMap(({ flags }) => flags), asker.asked.length]).toEqual([['A title', 'Some text'], [], 2])
    const again = fakeAsker(() => broken)
    expect((await readerOf(again).layout(page, {})).map(({ flags }) => flags)).toEqual([[], ['lost-text']])
    const whole = Array.from({ length: 9 }, (_, i) => `<|det|>text [100, ${i * 100}, 900, ${i * 100 + 50}]<|/det|>Text ${i}\n`).join('')
    const few = fakeAsker(() => `${whole}<|det|>image [7, 7, 7, 9]<|/det|>\n`)
    expect((await readerOf(few).layout(page, {})).flatMap(({ flags }) => flags)).toEqual([])
    expect(few.asked).toHaveLength(1)
  })
})

describe('an answer of more tokens than can be trusted', () => {
  const long = { text: answer, finish: 'stop' as const, outputTokens: 1600 }

  it('is read again in parts on an engine without the window', async () => {
    const asker = fakeAsker((given, times) => (times === 0 ? long : `<|det|>text [0, 0, 1000, 1000]<|/det|>part ${times} of ${given.picture?.width}`))
    const blocks = await readerOf(asker).layout(async () => printed, {})
    expect(textsOf(blocks)).toEqual(['part 1 of 1200', 'part 2 of 1200'])
    expect(blocks[0]?.box[3]).toBeLessThanOrEqual(blocks[1]?.box[1] ?? 0)
  })

  it.each([
    ['says nothing of one', ''],
    ['makes no sense of one', 'What a page!'],
    ['takes no picture of one', new PagestreamError('picture-refused', 'too large')],
  ])('is kept, as doubtful, where the model %s of the parts', async (_, said) => {
    const asker = fakeAsker((__, times) => (times === 0 ? long : times === 1 ? '<|det|>text [0, 0, 1000, 1000]<|/det|>part' : said))
    const blocks = await readerOf(asker).layout(async () => printed, {})
    expect(blocks.map(({ content, flags }) => [content?.text, flags])).toEqual([
      ['A title', ['low-confidence']],
      ['Some text', ['low-confidence']],
    ])
  })

  it('is taken as it is on an engine that has it', async () => {
    const asker = fakeAsker(() => long)
    expect(textsOf(await readerOf(asker, true).layout(page, {}))).toEqual(['A title', 'Some text'])
    expect(asker.asked).toHaveLength(1)
  })

  it('is marked as doubtful where the page cannot be divided', async () => {
    const blocks = await readerOf(fakeAsker(() => long)).layout(page, {})
    expect(blocks.map(({ flags }) => flags)).toEqual([['low-confidence'], ['low-confidence']])
  })
})

it('marks the last block of an answer that was cut', async () => {
  const blocks = await readerOf(
    fakeAsker(() => ({ text: answer, finish: 'length' })),
    true,
  ).layout(page, {})
  expect(blocks.at(-1)?.content?.flags ?? blocks.at(-1)?.flags).toContain('cut')
})

it('keeps what was said before the answer ran in circles', async () => {
  const circles = answer + Array.from({ length: 300 }, (_, i) => `<|det|>image_caption [301, ${50 + (i % 40)}, 500, 60]<|/det|>B\n`).join('')
  const blocks = await readerOf(
    fakeAsker(() => circles),
    true,
  ).layout(page, {})
  expect(blocks.length).toBeLessThan(150)
  expect(textsOf(blocks).slice(0, 2)).toEqual(['A title', 'Some text'])
})
