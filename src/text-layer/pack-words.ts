import { hiddenReasons, type StyleRun, type Word } from '../schema/text-layer.ts'

/**
 * The words of a page as a few flat arrays: between threads their buffers change hands, where thousands of objects
 * would be copied key by key.
 */
export interface PackedWords {
  readonly texts: readonly string[]
  /** `stride` numbers a word. */
  readonly numbers: Float64Array<ArrayBuffer>
  /** `text.length + 1` edges a word, one word after the other. */
  readonly edges: Float32Array<ArrayBuffer>
  /** Of the few words that change their style: index of the word, runs. */
  readonly runs: readonly (readonly [number, readonly StyleRun[]])[]
}

/** Four sides of the box, baseline, angle, style, then link, mcid and unmapped characters (-1 and 0 for none), then flags. */
const stride = 11
const [spaceBefore, vertical, hyphen, superscript, subscript] = [1, 2, 4, 8, 16]
const hiddenUnit = 32

/** Every word must have `text.length + 1` edges. */
export function packWords(words: readonly Word[]): PackedWords {
  const texts: string[] = []
  const runs: [number, readonly StyleRun[]][] = []
  const numbers = new Float64Array(stride * words.length)
  const edges = new Float32Array(words.reduce((sum, { text }) => sum + text.length + 1, 0))
  let edge = 0
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Word
    const at = stride * i
    numbers.set(word.box, at)
    numbers[at + 4] = word.baseline
    numbers[at + 5] = word.angle
    numbers[at + 6] = word.style
    numbers[at + 7] = word.link ?? -1
    numbers[at + 8] = word.mcid ?? -1
    numbers[at + 9] = word.unmapped ?? 0
    numbers[at + 10] = flags(word)
    edges.set(word.edges, edge)
    edge += word.edges.length
    if (word.runs) runs.push([i, word.runs])
    texts.push(word.text)
  }
  return { texts, numbers, edges, runs }
}

function flags(word: Word): number {
  const raised = word.raised === 'super' ? superscript : word.raised === 'sub' ? subscript : 0
  const hidden = word.hidden ? hiddenReasons.indexOf(word.hidden) + 1 : 0
  return (word.spaceBefore ? spaceBefore : 0) + (word.vertical ? vertical : 0) + (word.hyphen ? hyphen : 0) + raised + hidden * hiddenUnit
}

/** The words again; their edges are views of one array, in single precision. */
export function unpackWords({ texts, numbers, edges, runs }: PackedWords): Word[] {
  const words: Word[] = []
  let edge = 0
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i] as string
    words.push(unpackWord(text, numbers, stride * i, edges.subarray(edge, edge + text.length + 1)))
    edge += text.length + 1
  }
  for (const [i, own] of runs) words[i] = { ...(words[i] as Word), runs: own }
  return words
}

function unpackWord(text: string, numbers: Float64Array, at: number, edges: Float32Array): Word {
  const number = (offset: number): number => numbers[at + offset] as number
  const bits = number(10)
  const word: { -readonly [K in keyof Word]: Word[K] } = {
    text,
    box: [number(0), number(1), number(2), number(3)],
    baseline: number(4),
    style: number(6),
    angle: number(5),
    spaceBefore: (bits & spaceBefore) > 0,
    edges,
  }
  if (number(7) >= 0) word.link = number(7)
  if (number(8) >= 0) word.mcid = number(8)
  if (number(9) > 0) word.unmapped = number(9)
  if (bits <= spaceBefore) return word
  if (bits & vertical) word.vertical = true
  if (bits & hyphen) word.hyphen = true
  if (bits & superscript) word.raised = 'super'
  if (bits & subscript) word.raised = 'sub'
  const hidden = hiddenReasons[Math.floor(bits / hiddenUnit) - 1]
  if (hidden) word.hidden = hidden
  return word
}
