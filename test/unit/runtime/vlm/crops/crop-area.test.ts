import { expect, it } from 'vitest'
import { cropArea } from '../../../../../src/runtime/vlm/crops/crop-area.ts'

const page = { width: 100, height: 100 }

it('edges are rounded half to even where the family was trained so', () => {
  expect(cropArea([0.105, 0.115, 0.5, 0.5], page, 'half-even')).toEqual({ left: 10, top: 12, width: 40, height: 38 })
})

it('edges are cut off where the family was trained so', () => {
  expect(cropArea([0.109, 0.119, 0.509, 0.5], page, 'truncate')).toEqual({ left: 10, top: 11, width: 40, height: 39 })
})

it('a box under a pixel is no crop', () => {
  expect(cropArea([0.1, 0.1, 0.104, 0.5], page, 'half-even')).toBeUndefined()
})

it('a box over the edge of the page is cut back to it', () => {
  expect(cropArea([-0.5, 0.5, 1.5, 2], page, 'half-even')).toEqual({ left: 0, top: 50, width: 100, height: 50 })
})

it.each([
  [[0.08, 0.02, 0.92, 0.04], 1428, 44],
  [[0.1, 0.06, 0.9, 0.1], 1360, 88],
  [[0.1, 0.12, 0.48, 0.4], 646, 616],
  [[0.52, 0.31, 0.9, 0.4], 646, 198],
  [[0.48, 0.96, 0.52, 0.98], 68, 44],
] as const)('%j of a letter page at 200 dpi is %ix%i', (box, width, height) => {
  expect(cropArea(box, { width: 1700, height: 2200 }, 'half-even')).toMatchObject({ width, height })
})
