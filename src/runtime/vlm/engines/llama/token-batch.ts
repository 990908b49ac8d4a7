import type { KoffiLibrary } from './koffi-library.ts'
import type { NativeBatch } from './llama-functions.ts'

/** Tokens that are evaluated together. Its memory stays where it is, so that a step only writes numbers. */
export class TokenBatch {
  readonly capacity: number
  #length = 0
  readonly #tokens: Int32Array
  readonly #positions: Int32Array
  readonly #sequences: Int32Array
  readonly #wanted: Int8Array
  readonly #columns: Omit<NativeBatch, 'n_tokens'>

  constructor(koffi: KoffiLibrary, capacity: number) {
    this.capacity = capacity
    const allot = (type: string, bytes: number) => {
      const address = koffi.alloc(type, capacity) as bigint
      return { address, memory: koffi.view(address, capacity * bytes) }
    }
    const [tokens, positions, counts, sequences] = [allot('int32_t', 4), allot('int32_t', 4), allot('int32_t', 4), allot('int32_t', 4)]
    const [pointers, wanted] = [allot('void *', 8), allot('int8_t', 1)]
    this.#tokens = new Int32Array(tokens.memory)
    this.#positions = new Int32Array(positions.memory)
    this.#sequences = new Int32Array(sequences.memory)
    this.#wanted = new Int8Array(wanted.memory)
    new Int32Array(counts.memory).fill(1)
    const pointer = new BigUint64Array(pointers.memory)
    for (let i = 0; i < capacity; i++) pointer[i] = sequences.address + BigInt(4 * i)
    const { address: token } = tokens
    this.#columns = { token, embd: null, pos: positions.address, n_seq_id: counts.address, seq_id: pointers.address, logits: wanted.address }
  }

  get length(): number {
    return this.#length
  }

  clear(): void {
    this.#length = 0
  }

  /** Adds a token of a sequence; `wanted`: its scores are asked for. Answers with its row. Throws where the batch is full. */
  add(token: number, position: number, sequence: number, wanted: boolean): number {
    const row = this.#length
    if (row >= this.capacity) throw new RangeError('adding to a batch that is full')
    this.#tokens[row] = token
    this.#positions[row] = position
    this.#sequences[row] = sequence
    this.#wanted[row] = wanted ? 1 : 0
    this.#length++
    return row
  }

  get native(): NativeBatch {
    return { n_tokens: this.#length, ...this.#columns }
  }
}
