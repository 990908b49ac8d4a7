import { describe, expect, it } from 'vitest'
import { knownBuilds } from '../../../../../../src/runtime/vlm/engines/llama/known-builds.ts'
import { ParameterBlob } from '../../../../../../src/runtime/vlm/engines/llama/parameter-blob.ts'
import { layoutProblems, type ParameterLayout } from '../../../../../../src/runtime/vlm/engines/llama/parameter-layout.ts'

const layout: ParameterLayout<'first' | 'flag'> = {
  bytes: 40,
  offsets: { first: 4, flag: 33 },
  canaries: [
    { offset: 4, type: 'int32', values: [512, -1] },
    { offset: 12, type: 'float32', values: [-1] },
    { offset: 16, type: 'pointer', values: [0, 'marker'] },
    { offset: 32, type: 'bytes', values: [1, 0] },
  ],
}
const marker = 0x7f00_1234_5678n

function defaults(): Uint8Array {
  const bytes = new Uint8Array(512)
  const view = new DataView(bytes.buffer)
  view.setInt32(4, 512, true)
  view.setInt32(8, -1, true)
  view.setFloat32(12, -1, true)
  view.setBigUint64(24, marker, true)
  bytes[32] = 1
  return bytes
}

describe('the layout of a parameter struct', () => {
  it('fits the defaults that it describes', () => {
    expect(layoutProblems('test', layout, { bytes: defaults(), written: 34, marker })).toEqual([])
    expect(layoutProblems('test', layout, { bytes: defaults(), written: undefined, marker })).toEqual([])
  })

  it.each([4, 8, 12, 16, 24, 32, 33])('does not fit when byte %i differs', (at) => {
    const bytes = defaults()
    bytes[at] = (bytes[at] ?? 0) ^ 2
    expect(layoutProblems('test', layout, { bytes, written: 40, marker })).toHaveLength(1)
  })

  it.each([32, 41, 0])('does not fit when the library writes %i bytes', (written) => {
    expect(layoutProblems('test', layout, { bytes: defaults(), written, marker })).toEqual([`test parameters are ${written} bytes and not 40`])
  })

  it('does not fit when fields have moved, though the size is the same', () => {
    const bytes = defaults()
    bytes.copyWithin(8, 4, 32)
    expect(layoutProblems('test', layout, { bytes, written: 40, marker }).length).toBeGreaterThan(1)
  })

  it('does not fit what is too short', () => {
    expect(layoutProblems('test', layout, { bytes: new Uint8Array(8), written: 40, marker }).length).toBeGreaterThan(0)
  })

  it('tells in which bytes a field is set, and leaves all others', () => {
    const before = defaults()
    const words = [...new BigUint64Array(before.buffer)]
    const { blob } = new ParameterBlob(layout, { words }).int32('first', -2).flag('flag', true)
    const after = new Uint8Array(BigUint64Array.from(blob.words, BigInt).buffer)
    const changed = [...after.keys()].filter((i) => after[i] !== before[i])
    expect(changed.every((i) => (i >= 4 && i < 8) || i === 33)).toBe(true)
    expect(new DataView(after.buffer).getInt32(4, true)).toBe(-2)
    expect(after[33]).toBe(1)
  })
})

describe('known builds', () => {
  it.each(knownBuilds)('set fields inside their structs: $name', ({ layouts }) => {
    for (const { bytes, offsets, canaries } of [layouts.model, layouts.context, layouts.projector] as ParameterLayout<string>[]) {
      for (const offset of Object.values(offsets)) expect(offset).toBeLessThan(bytes)
      for (const { offset } of canaries) expect(offset).toBeLessThan(bytes)
    }
  })
})
