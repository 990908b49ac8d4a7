import { expect, it } from 'vitest'
import { mineruFamily } from '../../../../../../src/runtime/vlm/families/mineru/mineru-family.ts'
import { planAsks } from '../../../../../../src/runtime/vlm/families/mineru/page-plan.ts'
import type { Box, QuarterTurn } from '../../../../../../src/schema/geometry.ts'
import { found } from './found.ts'

const analysed = { imageAnalysis: true }
const plain = { imageAnalysis: false }
const box: Box = [0.1, 0.1, 0.9, 0.9]
const promptOf = (type: string, options = plain): string | undefined => planAsks([found(type, box)], options).get(0)?.ask.prompt

it('the layout is asked for without penalties', () => {
  expect(mineruFamily.layoutAsk).toEqual({
    task: 'layout',
    system: 'You are a helpful assistant.',
    prompt: '\nLayout Detection:',
    maxTokens: 4096,
    decoding: {
      temperature: 0,
      topP: 0.01,
      topK: 1,
      repetitionPenalty: 1,
      presencePenalty: 0,
      frequencyPenalty: 0,
      noRepeat: { tokens: 100 },
    },
  })
})

it.each([
  ['table', '\nTable Recognition:', 1, 0.005],
  ['equation', '\nFormula Recognition:', 1, 0.05],
  ['image', '\nImage Analysis:', 1, 0.05],
  ['chart', '\nImage Analysis:', 1, 0.05],
  ['text', '\nText Recognition:', 1, 0.05],
  ['code', '\nText Recognition:', 1, 0.05],
  ['algorithm', '\nText Recognition:', 1, 0.05],
  ['header', '\nText Recognition:', 1, 0.05],
  ['index', '\nText Recognition:', 1, 0.05],
])('a block of type %s is asked for by %j', (type, prompt, presencePenalty, frequencyPenalty) => {
  const ask = planAsks([found(type, box)], analysed).get(0)?.ask
  expect(ask).toMatchObject({ prompt, decoding: { presencePenalty, frequencyPenalty, noRepeat: { tokens: 100 } } })
})

it('pictures are asked about only when that is wanted, containers of pictures never', () => {
  expect(promptOf('image')).toBeUndefined()
  expect(promptOf('chart')).toBeUndefined()
  expect(promptOf('image_block', analysed)).toBeUndefined()
})

it.each([
  [[0, 0, 0.1, 0.1], true],
  [[0, 0, 0.5, 0.02], false],
  [[0, 0, 0.05, 0.05], false],
  [[0, 0, 0.5, 0.03], true],
] as const)('a picture of %j is large enough: %s', (at, asked) => {
  expect(planAsks([found('image', at)], analysed).has(0)).toBe(asked)
})

it('a block is cut out at its box, turned back, padded and enlarged as the model was trained', () => {
  const block = { ...found('text', box), angle: 90 as QuarterTurn }
  expect(planAsks([block], plain).get(0)?.crop).toEqual({ box, rounding: 'half-even', angle: 90, mostRatio: 50, leastSide: 28 })
})

it('a list is read through its items, and by itself where it has none', () => {
  const list = found('list', [0.1, 0.1, 0.9, 0.5])
  expect([...planAsks([list, found('text', [0.1, 0.1, 0.9, 0.2])], plain).keys()]).toEqual([1])
  expect(planAsks([list, found('text', [0.1, 0.6, 0.9, 0.7])], plain).get(0)?.ask.task).toBe('text')
})

it('a container of formulas is read through them, and by itself where it has none', () => {
  const container = found('equation_block', [0.1, 0.1, 0.9, 0.5])
  expect([...planAsks([container, found('equation', [0.1, 0.1, 0.9, 0.2])], plain).keys()]).toEqual([1])
  expect(planAsks([container], plain).get(0)?.ask.task).toBe('equation')
})

it('parts of a figure are not asked about', () => {
  const figure = [found('image_block', box), found('image', [0.1, 0.1, 0.5, 0.5]), found('chart', [0.5, 0.1, 0.9, 0.5])]
  expect(planAsks(figure, analysed).size).toBe(0)
})

it('a caption within a picture is left to the description of the picture, and read where there is none', () => {
  const blocks = [found('image', box), found('image_caption', [0.2, 0.8, 0.8, 0.85])]
  expect([...planAsks(blocks, analysed).keys()]).toEqual([0])
  expect([...planAsks(blocks, plain).keys()]).toEqual([1])
})

it('pictures in a table are masked from top to bottom, each with a token of its own', () => {
  const table = found('table', [0, 0, 1, 1])
  const [low, right, left] = [found('image', [0.1, 0.5, 0.2, 0.6]), found('image', [0.5, 0.1, 0.6, 0.2]), found('image', [0.1, 0.1, 0.2, 0.2])]
  const asks = planAsks([table, low, right, left], analysed)
  expect([...asks.keys()]).toEqual([0])
  const masks = asks.get(0)?.crop.masks ?? []
  expect(masks.map((mask) => mask.box)).toEqual([left.box, right.box, low.box])
  expect(new Set(masks.map(({ token }) => token)).size).toBe(3)
  for (const { token } of masks) expect(token).toMatch(/^[ACDGHKTWXYZ2-8]{4}$/)
})

it('a picture belongs to the table that holds most of it, and of two to the smaller', () => {
  const image = found('image', [0.2, 0.2, 0.3, 0.3])
  const asks = planAsks([found('table', [0, 0, 1, 1]), found('table', [0.1, 0.1, 0.5, 0.5]), image, found('table', [0.21, 0.2, 0.4, 0.4])], plain)
  expect([...asks].filter(([, ask]) => ask.crop.masks).map(([at]) => at)).toEqual([1])
})

it('a chart in a table is none of it', () => {
  const asks = planAsks([found('table', [0, 0, 1, 1]), found('chart', [0.2, 0.2, 0.5, 0.5])], analysed)
  expect(asks.get(0)?.crop.masks).toBeUndefined()
  expect(asks.has(1)).toBe(true)
})

it('the same page is planned the same way twice', () => {
  const blocks = [found('table', [0, 0, 1, 1]), found('image', [0.2, 0.2, 0.3, 0.3])]
  expect(planAsks(blocks, plain)).toEqual(planAsks(blocks, plain))
})
