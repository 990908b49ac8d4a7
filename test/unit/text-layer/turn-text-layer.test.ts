import { describe, expect, it } from 'vitest'
import type { QuarterTurn } from '../../../src/schema/geometry.ts'
import type { TextLayer, Word } from '../../../src/schema/text-layer.ts'
import { turnTextLayer } from '../../../src/text-layer/turn-text-layer.ts'
import { textLayer } from '../../support/text-layers.ts'

/** A word on a 200 x 100 page that reads upwards: at x 20, from y 90 up to y 60. */
const upwards: Word = { text: 'up', box: [10, 60, 22, 90], baseline: 20, style: 0, angle: 270, spaceBefore: false, edges: Float32Array.of(-90, -75, -60) }
const layer: TextLayer = textLayer({
  width: 200,
  height: 100,
  words: [upwards],
  rules: [{ direction: 'horizontal', at: 30, from: 10, to: 150, thickness: 1 }],
  pictures: [{ box: [0, 0, 50, 20], widthPx: 10, heightPx: 10 }],
  drawings: [[100, 50, 120, 80]],
})

describe('a turned text layer', () => {
  it('stands upright after the turn that its words ask for', () => {
    const turned = turnTextLayer(layer, 90)
    expect([turned.width, turned.height]).toEqual([100, 200])
    expect(turned.words[0]).toMatchObject({ angle: 0, box: [10, 10, 40, 22], baseline: 20, edges: Float32Array.of(10, 25, 40) })
    expect(turned.lines[0]).toMatchObject({ angle: 0, box: [10, 10, 40, 22], baseline: 20 })
    expect(turned.rules[0]).toEqual({ direction: 'vertical', at: 70, from: 10, to: 150, thickness: 1 })
    expect(turned.pictures[0]?.box).toEqual([80, 0, 100, 50])
    expect(turned.drawings[0]).toEqual([20, 100, 50, 120])
  })

  it('comes back to itself after four quarters, and by the opposite turn', () => {
    const turn = (from: TextLayer, ...turns: QuarterTurn[]) => turns.reduce(turnTextLayer, from)
    expect(turn(layer, 90, 90, 90, 90)).toEqual(layer)
    expect(turn(layer, 90, 270)).toEqual(layer)
    expect(turn(layer, 180, 180)).toEqual(layer)
    expect(turn(layer, 0)).toBe(layer)
  })

  it('keeps horizontal rules horizontal upside down', () => {
    expect(turnTextLayer(layer, 180).rules[0]).toEqual({ direction: 'horizontal', at: 70, from: 50, to: 190, thickness: 1 })
  })
})
