import { readFileSync } from 'node:fs'
import { ggufTensors } from './gguf-tensors.ts'

const width = 256
const heads = 16
const headWidth = width / heads
const ropeBase = 1e6
const epsilon = 1e-6

/** The only tokens that it writes: one byte each, so that the letters of an answer are its tokens. They stand in no prompt of the chat form. */
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWX'].map((letter) => letter.charCodeAt(0))

/** Exponent of 16-bit numbers: they lie between 2^n and 2^(n+1), of either sign. */
const exponents: Readonly<Record<string, number>> = {
  'token_embd.weight': -2,
  'output.weight': -2,
  'blk.0.attn_q.weight': -4,
  'blk.0.attn_k.weight': -4,
  'blk.0.attn_v.weight': -4,
  'blk.0.attn_output.weight': -4,
  'blk.0.ffn_up.weight': -5,
  'blk.0.ffn_down.weight': -6,
}

/** Numbers that look random and are always the same; each from 0 to 2^32. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const a = Math.imul(state ^ (state >>> 15), state | 1)
    const b = a ^ (a + Math.imul(a ^ (a >>> 7), a | 61))
    return (b ^ (b >>> 14)) >>> 0
  }
}

/** Weights of one layer, row by row. */
type Weights = Readonly<Record<string, Float64Array>>

/**
 * A model without any training, in the form of the tiny one: what it writes next depends on everything that it sees, so that a token too many or
 * too few in sight shows at once. All tokens that it does not write are alike to it, so that a prompt is nothing but its length.
 */
export class RandomModel {
  /** A GGUF file. */
  readonly file: Uint8Array
  readonly #weights: Weights
  readonly #keys: Float64Array[] = []
  readonly #values: Float64Array[] = []
  readonly #states: Float64Array[] = []

  /** `template`: path of the tiny model. */
  constructor(template: string, seed: number) {
    this.file = Uint8Array.from(readFileSync(template))
    const roll = dice(seed)
    const weights: Record<string, Float64Array> = {}
    for (const tensor of ggufTensors(this.file)) {
      const count = tensor.columns * tensor.rows
      const values = new Float64Array(count)
      const view = new DataView(this.file.buffer, tensor.offset, (count * tensor.bits) / 8)
      for (let i = 0; i < count; i++) values[i] = weightOf(tensor.name, Math.floor(i / tensor.columns), roll(), values[i % tensor.columns] ?? 0)
      for (let i = 0; i < count; i++) {
        if (tensor.bits === 32) view.setFloat32(i * 4, values[i] ?? 0, true)
        else view.setUint16(i * 2, half(values[i] ?? 0), true)
      }
      weights[tensor.name] = values
    }
    this.#weights = weights
  }

  /** The sequence from the start: a prompt of so many tokens, then what was written. */
  read(promptTokens: number, written: string): void {
    for (const kept of [this.#keys, this.#values, this.#states]) kept.length = 0
    for (let position = 0; position < promptTokens + written.length; position++) {
      const token = position < promptTokens ? 0 : written.charCodeAt(position - promptTokens)
      const embedding = this.#row('token_embd.weight', token)
      const normal = normed(embedding)
      this.#states.push(embedding)
      this.#keys.push(turned(this.#times('blk.0.attn_k.weight', normal), position))
      this.#values.push(this.#times('blk.0.attn_v.weight', normal))
    }
  }

  /** Scores of `letters` after the token at a position, which sees the positions that `sees` lets it, itself included. In 64 bits. */
  scores(position: number, sees: (earlier: number) => boolean): Map<string, number> {
    const state = Float64Array.from(this.#states[position] ?? [])
    const query = turned(this.#times('blk.0.attn_q.weight', normed(state)), position)
    const seen = this.#keys.map((_, earlier) => earlier).filter((earlier) => earlier <= position && sees(earlier))
    add(state, this.#times('blk.0.attn_output.weight', this.#attend(query, seen)))
    const normal = normed(state)
    const gate = this.#times('blk.0.ffn_gate.weight', normal)
    const up = this.#times('blk.0.ffn_up.weight', normal)
    add(
      state,
      this.#times(
        'blk.0.ffn_down.weight',
        up.map((x, i) => (x * (gate[i] ?? 0)) / (1 + Math.exp(-(gate[i] ?? 0)))),
      ),
    )
    const last = normed(state)
    return new Map(letters.map((letter) => [String.fromCharCode(letter), dot(this.#row('output.weight', letter), last, 0, width)]))
  }

  #attend(query: Float64Array, seen: readonly number[]): Float64Array {
    const result = new Float64Array(width)
    for (let head = 0; head < heads; head++) {
      const from = head * headWidth
      const scores = seen.map((earlier) => dot(query, this.#keys[earlier] ?? query, from, headWidth) / Math.sqrt(headWidth))
      const most = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
      const shares = scores.map((score) => Math.exp(score - most))
      const sum = shares.reduce((a, b) => a + b, 0)
      for (const [i, earlier] of seen.entries()) {
        const value = this.#values[earlier] ?? query
        for (let d = from; d < from + headWidth; d++) result[d] = (result[d] ?? 0) + ((shares[i] ?? 0) / sum) * (value[d] ?? 0)
      }
    }
    return result
  }

  #row(name: string, row: number): Float64Array {
    return this.#weights[name]?.subarray(row * width, (row + 1) * width) ?? new Float64Array(width)
  }

  #times(name: string, vector: Float64Array): Float64Array {
    const matrix = this.#weights[name] ?? new Float64Array()
    const columns = vector.length
    return Float64Array.from({ length: matrix.length / columns }, (_, row) => dot(matrix.subarray(row * columns, (row + 1) * columns), vector, 0, columns))
  }
}

/** `first`: what stands in the first row of the same column. */
function weightOf(tensor: string, row: number, random: number, first: number): number {
  if (tensor.endsWith('norm.weight')) return 1
  if (tensor.endsWith('.bias')) return 0
  if (tensor === 'output.weight' && !letters.includes(row)) return 0
  if (tensor === 'token_embd.weight' && row > 0 && !letters.includes(row)) return first
  const sign = random & 1 ? 1 : -1
  return sign * 2 ** (exponents[tensor] ?? -5) * (1 + ((random >>> 1) % 1024) / 1024)
}

/** Bits of a number that a half holds exactly. */
function half(value: number): number {
  if (value === 0) return 0
  const exponent = Math.floor(Math.log2(Math.abs(value)))
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | Math.round((Math.abs(value) / 2 ** exponent - 1) * 1024)
}

function dot(a: Float64Array, b: Float64Array, from: number, count: number): number {
  let sum = 0
  for (let i = from; i < from + count; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

function add(to: Float64Array, what: Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] ?? 0) + (what[i] ?? 0)
}

function normed(vector: Float64Array): Float64Array {
  const root = Math.sqrt(dot(vector, vector, 0, vector.length) / vector.length + epsilon)
  return vector.map((x) => x / root)
}

/** Each head turned by its position, as the model's rotary embedding does it for text. */
function turned(vector: Float64Array, position: number): Float64Array {
  const result = vector.slice()
  const pairs = headWidth / 2
  for (let from = 0; from < width; from += headWidth) {
    for (let i = 0; i < pairs; i++) {
      const angle = position * ropeBase ** (-i / pairs)
      const [x, y] = [vector[from + i] ?? 0, vector[from + i + pairs] ?? 0]
      result[from + i] = x * Math.cos(angle) - y * Math.sin(angle)
      result[from + i + pairs] = x * Math.sin(angle) + y * Math.cos(angle)
    }
  }
  return result
}
