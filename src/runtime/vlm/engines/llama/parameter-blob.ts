import { blobBytes, type ParameterLayout } from './parameter-layout.ts'

/** How a struct of opaque bytes crosses: koffi takes and gives it as 64-bit words. */
export interface Blob512 {
  readonly words: BigUint64Array | readonly (bigint | number)[]
}

/** The bytes of a struct that came out of the library. */
export function bytesOfBlob({ words }: Blob512): Uint8Array {
  return new Uint8Array(BigUint64Array.from(words as Iterable<bigint | number>, BigInt).buffer)
}

/** A parameter struct: the library's own defaults, and the fields that we set. */
export class ParameterBlob<Field extends string> {
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly #view: DataView
  readonly #layout: ParameterLayout<Field>

  constructor(layout: ParameterLayout<Field>, defaults: Blob512) {
    this.#layout = layout
    this.#bytes = new Uint8Array(blobBytes)
    this.#bytes.set(bytesOfBlob(defaults).subarray(0, blobBytes))
    this.#view = new DataView(this.#bytes.buffer)
  }

  int32(field: Field, value: number): this {
    this.#view.setInt32(this.#layout.offsets[field], value, true)
    return this
  }

  flag(field: Field, value: boolean): this {
    this.#view.setUint8(this.#layout.offsets[field], value ? 1 : 0)
    return this
  }

  get blob(): Blob512 {
    return { words: new BigUint64Array(this.#bytes.buffer) }
  }
}
