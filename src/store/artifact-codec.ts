import type { TextLayer } from '../schema/text-layer.ts'
import { type PackedWords, packWords, unpackWords } from '../text-layer/pack-words.ts'

/** A text layer as JSON holds it: the words as flat lists, which are written and read in a fraction of the time of as many objects. */
interface StoredLayer extends Omit<TextLayer, 'words'> {
  readonly words: Omit<PackedWords, 'numbers' | 'edges'> & { readonly numbers: readonly number[]; readonly edges: readonly number[] }
}

/** Coordinates are points to a hundredth; single precision would write them with a tail of noise. */
const hundredths = (value: number): number => Math.round(value * 100) / 100

const isTextLayerKey = (key: string): boolean => /\/text-layer(-upright)?$/.test(key)

/** A value of a key as JSON. */
export function encodeArtifact(key: string, value: unknown): Buffer {
  return Buffer.from(JSON.stringify(isTextLayerKey(key) ? stored(value as TextLayer) : value))
}

/** The value again. Throws what `JSON.parse` throws. */
export function decodeArtifact(key: string, bytes: Uint8Array): unknown {
  const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  return isTextLayerKey(key) ? layerOf(value as StoredLayer) : value
}

function stored(layer: TextLayer): StoredLayer {
  const { numbers, edges, ...words } = packWords(layer.words)
  return { ...layer, words: { ...words, numbers: Array.from(numbers), edges: Array.from(edges, hundredths) } }
}

function layerOf({ words, ...layer }: StoredLayer): TextLayer {
  return { ...layer, words: unpackWords({ ...words, numbers: Float64Array.from(words.numbers), edges: Float32Array.from(words.edges) }) }
}
