import { describe, expect, it } from 'vitest'
import type { Picture } from '../../../../../src/runtime/document-reader.ts'
import type { BlockAsk, TwoStepFamily } from '../../../../../src/runtime/vlm/family.ts'
import type { FoundBlock } from '../../../../../src/runtime/vlm/page-reader.ts'
import { TwoStepReader } from '../../../../../src/runtime/vlm/readers/two-step-reader.ts'
import { PagestreamError } from '../../../../../src/schema/failure.ts'
import { fakeAsker } from './fake-asker.ts'

const decoding = { temperature: 0, topP: 0.01, topK: 1, repetitionPenalty: 1, presencePenalty: 0, frequencyPenalty: 0 }
const picture: Picture = { data: new Uint8Array(200 * 200).fill(255), width: 200, height: 200, channels: 1, dpi: 200 }
const page = async () => picture

/** `box x0 y0 x1 y1` a line, hundredths of the page; each block is asked for its text. */
const family: TwoStepFamily = {
  family: 'mineru2.5',
  steps: 'two',
  imageTokens: () => 0,
  layoutSize: { width: 64, height: 64 },
  layoutElement: 'box',
  layoutAsk: { task: 'layout', prompt: 'Where?', decoding, maxTokens: 400 },
  parseLayout(answer) {
    const lines = answer.split('\n').filter((line) => line !== '')
    const blocks = lines.flatMap((line): FoundBlock[] => {
      const [word, ...numbers] = line.split(' ')
      if (word !== 'box' || numbers.length !== 4) return []
      const [x0, y0, x1, y1] = numbers.map((n) => Number(n) / 100) as [number, number, number, number]
      return [{ type: 'text', kind: 'text', box: [x0, y0, x1, y1], angle: 0, flags: [] }]
    })
    if (blocks.length === 0 && lines.length > 0) throw new PagestreamError('answer-invalid', 'no blocks')
    return { blocks, dropped: lines.length - blocks.length }
  },
  planAsks: (blocks) => new Map(blocks.map((block, i): [number, BlockAsk] => [i, ask(block, i)])),
  finishPage: (blocks, answers) =>
    blocks.map((block, i) => {
      const answer = answers.get(i)
      const content = answer && { kind: block.kind, text: answer.text, raw: answer.text, flags: answer.finish === 'stop' ? [] : (['cut'] as const) }
      return { of: [i], box: block.box, content }
    }),
}
const ask = ({ box }: FoundBlock, i: number): BlockAsk => ({
  ask: { task: 'text', prompt: `Text ${i}?`, decoding, maxTokens: 400 },
  crop: { box, rounding: 'half-even', angle: 0, mostRatio: 50, leastSide: 28 },
})
const readerOf = (asker: ReturnType<typeof fakeAsker>) => new TwoStepReader({ family, asker, options: { imageAnalysis: false } })
const twoBoxes = 'box 10 10 90 40\nbox 10 50 90 90\n'

describe('the picture of a page that is read', () => {
  it('is given back when its blocks are cut out, before any answer has come', async () => {
    const asker = fakeAsker(({ task }) => (task === 'layout' ? twoBoxes : 'said'))
    let onCropped = () => {}
    const cropped = new Promise<void>((resolve) => {
      onCropped = resolve
    })
    const waiting: typeof asker = {
      ...asker,
      async ask(...question) {
        if (question[0].task === 'text') await cropped
        return asker.ask(...question)
      },
    }
    const reader = readerOf(waiting)
    const blocks = await reader.layout(page, {})
    let asked = 0
    const once = async () => {
      asked++
      return picture
    }
    expect((await reader.read(once, blocks, { onCropped })).map(({ content }) => content?.text)).toEqual(['said', 'said'])
    expect(asked).toBe(1)
  })
})

describe('the layout of a page', () => {
  it('is asked for with the page stretched to the size of the family', async () => {
    const asker = fakeAsker(() => twoBoxes)
    const blocks = await readerOf(asker).layout(page, {})
    expect(blocks.map(({ box }) => box)).toEqual([
      [0.1, 0.1, 0.9, 0.4],
      [0.1, 0.5, 0.9, 0.9],
    ])
    expect(asker.asked[0]?.picture).toMatchObject({ width: 64, height: 64, mediaType: 'image/png' })
  })

  it('says how many questions are to come: as many as usual, then those that were found, until they are asked', async () => {
    const asker = fakeAsker(({ task }) => (task === 'layout' ? twoBoxes : 'said'))
    const reader = readerOf(asker)
    const blocks = await reader.layout(page, {})
    expect(asker.expected).toEqual([[13, 12, 2]])
    await reader.read(page, blocks, {})
    expect(asker.expected[0]?.slice(3)).toEqual([2, 1, 0])
    await reader.layout(page, {})
    expect(asker.expected[1]?.[0]).toBeLessThan(13)
  })

  it('has nothing to come where it fails', async () => {
    const asker = fakeAsker(() => new PagestreamError('engine-unreachable', 'away'))
    await expect(readerOf(asker).layout(page, {})).rejects.toMatchObject({ code: 'engine-unreachable' })
    expect(asker.expected[0]?.at(-1)).toBe(0)
  })

  it('is asked for once more, with other dice, where the answer makes no sense', async () => {
    const asker = fakeAsker((_, times) => (times === 0 ? 'I see a page.' : twoBoxes))
    expect(await readerOf(asker).layout(page, {})).toHaveLength(2)
    expect(asker.asked.map((each) => each.decoding.temperature)).toEqual([0, 0.2])
  })

  it('fails as the model when it makes no sense twice', async () => {
    const asker = fakeAsker(() => 'I see a page.')
    await expect(readerOf(asker).layout(page, {})).rejects.toMatchObject({ code: 'answer-invalid' })
    expect(asker.asked).toHaveLength(2)
  })

  it('is empty for a page on which the model sees nothing, without a second question', async () => {
    const asker = fakeAsker(() => '')
    expect(await readerOf(asker).layout(page, {})).toEqual([])
    expect(asker.asked).toHaveLength(1)
  })

  it('keeps what is there of an answer that was cut where the second question fails', async () => {
    const asker = fakeAsker((_, times) => (times === 0 ? { text: twoBoxes, finish: 'length' } : new PagestreamError('picture-refused', 'context')))
    expect((await readerOf(asker).layout(page, {})).map(({ flags }) => flags)).toEqual([[], ['cut']])
  })

  it('keeps what is there of an answer that was cut twice, and says so', async () => {
    const asker = fakeAsker(() => ({ text: twoBoxes, finish: 'length' }))
    const blocks = await readerOf(asker).layout(page, {})
    expect(blocks.map(({ flags }) => flags)).toEqual([[], ['cut']])
  })
})

describe('the blocks of a page', () => {
  const blocks = family.parseLayout(twoBoxes).blocks

  it('are read side by side and told as they come', async () => {
    const asker = fakeAsker((given) => `answer to ${given.prompt}`)
    const told: string[] = []
    const readings = await readerOf(asker).read(page, blocks, { onBlock: (block, index) => told.push(`${index} ${block.content?.text}`) })
    expect(readings.map(({ content }) => content?.text)).toEqual(['answer to Text 0?', 'answer to Text 1?'])
    expect(told.sort()).toEqual(['0 answer to Text 0?', '1 answer to Text 1?'])
  })

  it('are not asked about where they are known', async () => {
    const asker = fakeAsker(() => 'text')
    const readings = await readerOf(asker).read(page, blocks, { skip: new Set([0]) })
    expect(asker.asked.map(({ prompt }) => prompt)).toEqual(['Text 1?'])
    expect(readings.map(({ content }) => content?.text)).toEqual([undefined, 'text'])
  })

  it('need no picture where nothing is asked', async () => {
    const readings = await readerOf(fakeAsker(() => 'text')).read(() => Promise.reject(new Error('no picture')), blocks, { skip: new Set([0, 1]) })
    expect(readings).toHaveLength(2)
  })

  it('fail alone where the engine takes no such picture', async () => {
    const asker = fakeAsker((given) => (given.prompt === 'Text 0?' ? new PagestreamError('picture-refused', 'too many tokens') : 'text'))
    const readings = await readerOf(asker).read(page, blocks, {})
    expect(readings[0]).toMatchObject({ content: undefined, failure: { code: 'picture-refused' } })
    expect(readings[1]?.content?.text).toBe('text')
  })

  it('fail together where the engine is away, after all questions have ended', async () => {
    const asker = fakeAsker((given) => (given.prompt === 'Text 0?' ? new PagestreamError('engine-unreachable', 'gone') : 'text'))
    await expect(readerOf(asker).read(page, blocks, {})).rejects.toMatchObject({ code: 'engine-unreachable' })
    expect(asker.asked).toHaveLength(2)
  })

  it('fail alone where the engine breaks at one of them and answers the others', async () => {
    const slow = fakeAsker((given) => (given.prompt === 'Text 0?' ? new PagestreamError('engine-failed', 'it broke') : 'text'))
    const asker = {
      ...slow,
      async ask(...[given, options]: Parameters<typeof slow.ask>) {
        if (given.prompt === 'Text 0?') await new Promise((resolve) => setTimeout(resolve, 20))
        return slow.ask(given, options)
      },
    }
    const readings = await readerOf(asker).read(page, blocks, {})
    expect(readings.map(({ content, failure }) => [content?.text, failure?.code])).toEqual([
      [undefined, 'engine-failed'],
      ['text', undefined],
    ])
  })

  it('fail together where the engine breaks at all of them', async () => {
    const asker = fakeAsker(() => new PagestreamError('engine-failed', 'it broke'))
    await expect(readerOf(asker).read(page, blocks, {})).rejects.toMatchObject({ code: 'engine-failed' })
  })

  it('are asked about once more where the answer runs in circles, and cut where that began', async () => {
    const circles = `All is said. ${'and on '.repeat(400)}`
    const asker = fakeAsker((given, times) => (given.prompt === 'Text 0?' && times > 0 ? 'All is said.' : circles))
    const [first, second] = await readerOf(asker).read(page, blocks, {})
    expect(first?.content).toMatchObject({ text: 'All is said.', flags: [] })
    expect(second?.content?.text.length).toBeLessThan(circles.length / 2)
    expect(second?.content).toMatchObject({ flags: ['cut'] })
    expect(asker.asked).toHaveLength(4)
  })
})

it('a block keeps what was said of it where the second question fails', async () => {
  const circles = `All is said. ${'and on '.repeat(400)}`
  const asker = fakeAsker((_, times) => (times === 0 ? circles : new PagestreamError('answer-invalid', 'no protocol')))
  const [reading] = await readerOf(asker).read(page, family.parseLayout('box 10 10 90 40').blocks, {})
  expect(reading?.content).toMatchObject({ flags: ['cut'] })
  expect(reading?.content?.text.startsWith('All is said.')).toBe(true)
})

describe('a question about text', () => {
  it('is asked without a picture', async () => {
    const asker = fakeAsker(() => '[1, 0]')
    const { text } = await readerOf(asker).askText({ task: 'cell-merge', prompt: 'Which?', decoding, maxTokens: 10 }, new AbortController().signal)
    expect(text).toBe('[1, 0]')
    expect(asker.asked).toMatchObject([{ prompt: 'Which?' }])
    expect(asker.asked[0]?.picture).toBeUndefined()
  })
})

describe('a block', () => {
  const whole: FoundBlock[] = [{ type: 'text', kind: 'text', box: [0, 0, 1, 1], angle: 0, flags: [] }]
  const large: Picture = { ...picture, data: new Uint8Array(400 * 400).fill(255), width: 400, height: 400 }

  it('that is too large for the engine is asked about once more at half its pixels', async () => {
    const asker = fakeAsker(({ picture: sent }) => ((sent?.width ?? 0) > 300 ? new PagestreamError('picture-refused', 'context') : 'words'))
    expect((await readerOf(asker).read(async () => large, whole, {}))[0]?.content?.text).toBe('words')
    expect(asker.asked.map((each) => each.picture?.width)).toEqual([400, 282])
  })

  it('that is refused at half its pixels, too, fails as the model', async () => {
    const asker = fakeAsker(() => new PagestreamError('picture-refused', 'context'))
    expect((await readerOf(asker).read(async () => large, whole, {}))[0]?.failure?.code).toBe('picture-refused')
    expect(asker.asked).toHaveLength(2)
  })

  it('that is answered with nothing is asked about once more, with other dice', async () => {
    const asker = fakeAsker((_, times) => (times === 0 ? '' : 'words'))
    expect((await readerOf(asker).read(page, whole, {}))[0]?.content?.text).toBe('words')
    expect(asker.asked.map((each) => each.decoding.temperature)).toEqual([0, 0.2])
  })
})
