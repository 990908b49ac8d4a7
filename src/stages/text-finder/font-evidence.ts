import type { TextLayer, Word } from '../../schema/text-layer.ts'
import type { GateReason } from './gate-reasons.ts'
import { findShift, isUnlikely, letterStatistics } from './letter-statistics.ts'

/**
 * What can be said of a font's characters without a picture.
 * `wrong`: they cannot be what is printed. `doubtful`: the picture should decide. `sound`: nothing speaks against them.
 */
export interface FontEvidence {
  readonly font: string
  readonly styles: readonly number[]
  readonly judgement: 'sound' | 'doubtful' | 'wrong'
  readonly reasons: readonly GateReason[]
  /** Indices of its words. */
  readonly words: readonly number[]
  readonly characters: number
}

/** Share of characters that cannot be right from which on a font is wrong, or doubtful. */
const wrongShare = 0.3
const doubtfulShare = 0.12
/** Fewer bad characters are bullets and ornaments, whatever their share. */
const minBadCharacters = 4
const glyphName = /^[/(]?(?:gid|cid|glyph|uni?)[:#(]?\d{2,6}\)?/i
const mixedShare = 0.25
const minMixedWords = 4

/** Judges every font of the given words (indices into the layer). */
export function fontEvidence(layer: TextLayer, indices: readonly number[]): FontEvidence[] {
  const byFont = new Map<string, number[]>()
  for (const index of indices) {
    const word = layer.words[index]
    if (!word) continue
    const font = layer.styles[word.style]?.font ?? ''
    const list = byFont.get(font)
    if (list) list.push(index)
    else byFont.set(font, [index])
  }
  return [...byFont].map(([font, words]) => judgeFont(layer, font, words))
}

function judgeFont(layer: TextLayer, font: string, indices: readonly number[]): FontEvidence {
  const words = indices.map((index) => layer.words[index] as Word)
  const styles = [...new Set(words.map((word) => word.style))]
  const symbolic = isSymbolic(layer, styles, words)
  const characters = words.reduce((sum, word) => sum + word.text.length, 0)
  const wrong = impossibleCharacters(words, characters, symbolic, wrongShare)
  const texts = words.map((word) => word.text)
  const base = { font, styles, words: indices, characters }
  if (isForeign(texts)) return { ...base, judgement: 'sound', reasons: [] }
  if (wrong.length === 0 && !symbolic && isShifted(texts)) wrong.push('shifted-letters')
  if (wrong.length > 0) return { ...base, judgement: 'wrong', reasons: wrong }
  const doubtful = impossibleCharacters(words, characters, symbolic, doubtfulShare)
  if (!symbolic && isUnlikely(letterStatistics(texts))) doubtful.push('unlikely-letters')
  if (!symbolic && mixesScripts(texts)) doubtful.push('mixed-scripts')
  return { ...base, judgement: doubtful.length > 0 ? 'doubtful' : 'sound', reasons: doubtful }
}

/** Signs: a font known for them, or one that never writes a word. Plot marks and bullets may have any code. */
function isSymbolic(layer: TextLayer, styles: readonly number[], words: readonly Word[]): boolean {
  return styles.every((style) => layer.styles[style]?.symbolic ?? false) || words.every((word) => word.text.length <= 2)
}

const foreignShare = 0.3
const foreign =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Thai}\p{Script=Khmer}\p{Script=Georgian}\p{Script=Armenian}\p{Script=Ethiopic}]/gu

/** Mostly in an alphabet that the readers of pictures do not know: whatever is wrong with it, they would do worse. */
function isForeign(texts: readonly string[]): boolean {
  const all = texts.join('').slice(0, 4000)
  return (all.match(foreign)?.length ?? 0) >= foreignShare * all.length
}

/** A text of a known language cannot be a cipher of another: the search is only for text that looks unlikely as it stands. */
function isShifted(texts: readonly string[]): boolean {
  const { pairs, commonShare } = letterStatistics(texts)
  const looksLikeWords = pairs >= 8 && commonShare > 0.5
  return !looksLikeWords && !isFigures(texts) && findShift(texts) !== 0
}

/** A font that prints hardly any letters prints the figures of a table. Words moved by a constant keep many letters among their signs. */
function isFigures(texts: readonly string[]): boolean {
  const all = texts.join('').slice(0, 4000)
  return (all.match(/\p{L}/gu)?.length ?? 0) < 0.3 * all.length
}

/** Symbol fonts use private code points and have glyphs without a character by nature: only glyph names count against them. */
function impossibleCharacters(words: readonly Word[], characters: number, symbolic: boolean, share: number): GateReason[] {
  const count = { unmapped: 0, private: 0, control: 0, names: 0 }
  for (const { text, unmapped } of words) {
    count.unmapped += unmapped ?? 0
    if (glyphName.test(text)) count.names += text.length
    // A private character that stands alone is a bullet, whatever its font is called.
    const alone = text.length <= 2
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0
      if (isPrivate(code)) count.private += alone ? 0 : 1
      else if (isControl(code)) count.control++
    }
  }
  const many = (bad: number) => bad >= minBadCharacters && bad >= share * characters
  const reasons: GateReason[] = []
  if (many(count.names)) reasons.push('glyph-names')
  if (symbolic) return reasons
  if (many(count.unmapped)) reasons.push('unmapped-characters')
  if (many(count.private)) reasons.push('private-characters')
  if (many(count.control)) reasons.push('control-characters')
  return reasons
}

const isPrivate = (code: number): boolean => (code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000
const isControl = (code: number): boolean => code < 32 || (code >= 0x7f && code < 0xa0) || code === 0xfffd || code === 0xfffe || code === 0xffff

const alphabets = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Thai}/u,
]

/** Words of one alphabet each is how people write; units and mathematics (short words) aside. */
function mixesScripts(texts: readonly string[]): boolean {
  const long = texts.filter((text) => /^\p{L}{4,}$/u.test(text)).slice(0, 500)
  const mixed = long.filter((text) => alphabets.filter((alphabet) => alphabet.test(text)).length > 1)
  return mixed.length >= minMixedWords && mixed.length >= mixedShare * long.length
}
