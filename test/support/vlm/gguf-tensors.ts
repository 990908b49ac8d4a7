/** A tensor of a GGUF file: where its numbers lie. `rows` of `columns` numbers, 16 or 32 bits each. */
export interface GgufTensor {
  readonly name: string
  readonly columns: number
  readonly rows: number
  readonly bits: 16 | 32
  /** Bytes from the start of the file. */
  readonly offset: number
}

const sizes: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 }
const text = 8
const list = 9
const alignment = 32

/** Walks through the head of a small GGUF file (version 3) of 16-bit and 32-bit floating-point numbers. */
class Walk {
  readonly #view: DataView
  at = 0

  constructor(file: Uint8Array) {
    this.#view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  }

  u32(): number {
    this.at += 4
    return this.#view.getUint32(this.at - 4, true)
  }

  u64(): number {
    this.at += 8
    return Number(this.#view.getBigUint64(this.at - 8, true))
  }

  string(): string {
    const length = this.u64()
    this.at += length
    return Buffer.from(this.#view.buffer, this.#view.byteOffset + this.at - length, length).toString('utf8')
  }

  skipValue(type: number): void {
    if (type === text) this.string()
    else if (type === list) {
      const [of, count] = [this.u32(), this.u64()]
      for (let i = 0; i < count; i++) this.skipValue(of)
    } else this.at += sizes[type] ?? Number.NaN
  }
}

/** Its tensors, in the file's order. */
export function ggufTensors(file: Uint8Array): GgufTensor[] {
  const walk = new Walk(file)
  walk.at = 8
  const [tensorCount, keyCount] = [walk.u64(), walk.u64()]
  for (let i = 0; i < keyCount; i++) {
    walk.string()
    walk.skipValue(walk.u32())
  }
  const tensors = Array.from({ length: tensorCount }, () => {
    const name = walk.string()
    const dimensions = Array.from({ length: walk.u32() }, () => walk.u64())
    const bits: 16 | 32 = walk.u32() === 1 ? 16 : 32
    return { name, columns: dimensions[0] ?? 1, rows: dimensions[1] ?? 1, bits, offset: walk.u64() }
  })
  const start = Math.ceil(walk.at / alignment) * alignment
  return tensors.map((tensor) => ({ ...tensor, offset: tensor.offset + start }))
}
