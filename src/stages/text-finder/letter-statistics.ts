import { commonPairs } from './letter-pairs.ts'

/** How a run of words looks to somebody who knows no language but letters. */
export interface LetterStatistics {
  /** Neighbouring basic Latin letters of words. */
  readonly pairs: number
  /** Share of them that is frequent in some language, 0..1. */
  readonly commonShare: number
}

/** Characters that are looked at for one font; more does not change the answer. */
const maxCharacters = 4000
/** Fewer pairs prove nothing. */
const minPairs = 30
/** Words of a language reach about 0.7, abbreviations and codes 0.4, ciphers 0.2. */
const unlikelyShare = 0.38
/** What a cipher must come to when it is undone, and how much better than as it stands. */
const solvedShare = 0.52
const solvedGain = 0.22
/** Code points: within ASCII, and beyond the distance between a letter and its glyph number (29 to 31). */
const maxShift = 40

const minWord = 4

/** Latin letters without diacritics, lower case; other characters stay. */
const plain = (word: string): string => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const isLetter = (code: number): boolean => code >= 97 && code <= 122

/** Statistics of the distinct words of four letters and more: codes, units and formulas follow other rules than language. */
export function letterStatistics(words: readonly string[]): LetterStatistics {
  let pairs = 0
  let common = 0
  let seen = 0
  for (const word of new Set(words.map(core))) {
    if (word.length < minWord) continue
    seen += word.length
    for (let i = 1; i < word.length; i++) {
      pairs++
      if (commonPairs.has(word.slice(i - 1, i + 1))) common++
    }
    if (seen > maxCharacters) break
  }
  return { pairs, commonShare: pairs > 0 ? common / pairs : 0 }
}

/** The word without marks around it when nothing but basic letters is left, else empty. */
function core(word: string): string {
  const inner = plain(word).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  return /^[a-z]+$/.test(inner) ? inner : ''
}

/** Enough Latin letters, and they follow each other as in no language. */
export const isUnlikely = ({ pairs, commonShare }: LetterStatistics): boolean => pairs >= minPairs && commonShare < unlikelyShare

/**
 * The constant that was added to every code point of a text, 0 when there is no sign of one.
 * Fonts without a Unicode map show glyph numbers, which follow the alphabet at a fixed distance (29 in most TrueType fonts);
 * tools that hide text shift it by 1.
 */
export function findShift(words: readonly string[]): number {
  const sample = sampleOf(words)
  const asIs = shiftedShare(sample, 0)
  let best = { shift: 0, ...asIs }
  for (let shift = -maxShift; shift <= maxShift; shift++) {
    if (shift === 0) continue
    const candidate = shiftedShare(sample, shift)
    if (candidate.share > best.share && candidate.pairs >= minPairs) best = { shift, ...candidate }
  }
  return best.share >= solvedShare && best.share - asIs.share >= solvedGain ? -best.shift : 0
}

/** Blanks of a shifted text come out as control codes or as nothing known and glue its words. */
const shiftedBlanks = /[\u0000-\u0020\ufffd]+/u

function sampleOf(words: readonly string[]): string[] {
  const sample: string[] = []
  let length = 0
  for (const word of words) {
    if (length > maxCharacters / 2) break
    for (const run of word.split(shiftedBlanks)) {
      sample.push(run)
      length += run.length
    }
  }
  return sample
}

/** Share of frequent pairs among all neighbours, letters or not: a shift that makes half the letters signs is no solution. */
function shiftedShare(words: readonly string[], shift: number): { share: number; pairs: number } {
  let all = 0
  let pairs = 0
  let common = 0
  for (const word of words) {
    let previous = 0
    for (let i = 0; i < word.length; i++) {
      const code = lower(word.charCodeAt(i) + shift)
      // Rows of dots would be rows of one letter.
      if (i > 0 && code === previous) continue
      if (i > 0) all++
      if (i > 0 && isLetter(previous) && isLetter(code)) {
        pairs++
        if (commonPairs.has(String.fromCharCode(previous, code))) common++
      }
      previous = code
    }
  }
  return { share: all > 0 ? common / all : 0, pairs }
}

const lower = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code)
