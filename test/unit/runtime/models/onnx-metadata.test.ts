import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readOnnxMetadata } from '../../../../src/runtime/models/onnx-metadata.ts'

const folder = mkdtempSync(join(tmpdir(), 'pagestream-onnx-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)])
const field = (number: number, bytes: Buffer): Buffer => Buffer.concat([Buffer.from(varint(number * 8 + 2)), Buffer.from(varint(bytes.length)), bytes])
const entry = (key: string, value: string): Buffer => field(14, Buffer.concat([field(1, Buffer.from(key)), field(2, Buffer.from(value))]))
const irVersion = Buffer.from([8, 7])
const graph = field(7, Buffer.alloc(300_000, 0xff))

let count = 0
function file(...parts: Buffer[]): string {
  const path = join(folder, `${count++}.onnx`)
  writeFileSync(path, Buffer.concat(parts))
  return path
}

describe('the metadata of an ONNX file', () => {
  it('is found behind a graph that is skipped', async () => {
    const path = file(irVersion, graph, entry('shape', '48'), entry('character', 'a\n\u3000\n漢'))
    expect(await readOnnxMetadata(path, 'character')).toBe('a\n\u3000\n漢')
  })

  it('is undefined where the key is missing', async () => {
    expect(await readOnnxMetadata(file(irVersion, graph), 'character')).toBeUndefined()
  })

  it.each([
    ['a length beyond the end', [irVersion, graph.subarray(0, 1000)]],
    ['a wire type that does not exist', [Buffer.from([0x0f, 1, 2, 3])]],
    ['a number that does not end', [Buffer.alloc(40, 0xff)]],
    ['an entry that is no pair of strings', [field(14, Buffer.from([8, 1, 2]))]],
    ['fields without end', [Buffer.alloc(20_000, Buffer.from([8, 1]))]],
  ])('is refused for a file with %s', async (_, parts) => {
    await expect(readOnnxMetadata(file(...parts), 'character')).rejects.toMatchObject({ code: 'model-failed' })
  })
})
