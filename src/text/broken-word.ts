import type { WordSet } from './word-set.ts'

/** Never written together with what follows, but for what makes a number of it: the hyphen after them is the word's own even at a line end. */
const hyphenatedFirst = /^(?:self|quasi|two|three|four|five|seven|eight|nine|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)$/iu
const numberSecond = /^(?:e?teen|e?ty|e?th|fold|some|ish)/iu
/** As these, before a word; before anything else they are the beginning of a broken word ("so-lution"). */
const hyphenatedBeforeWord = /^(?:well|so|ex|all|half|vice|one|six|ten)$/iu

/**
 * Whether the hyphen between the halves of a word broken by a line end is the word's own, as its spelling elsewhere
 * in the text says; undefined where it stands nowhere else. Both spellings prove that the word has no hyphen of its own.
 */
export function spelledWithHyphen(head: string, tail: string, words: WordSet): boolean | undefined {
  if (words.has(head + tail)) return false
  return words.has(`${head}-${tail}`) || (hyphenatedFirst.test(head) && !numberSecond.test(tail)) ? true : undefined
}

/**
 * What the spelling of other words makes likely, for a word that stands nowhere else: compounds that end alike
 * ("low-dimensional" for "high-dimensional"), or begin alike while the second half is a word; and two halves that are
 * words by themselves, by the customs of the language. Breaking rarely leaves two words.
 */
export function looksHyphenated(head: string, tail: string, words: WordSet): boolean {
  if (closing.some(([a, b]) => words.has(a) && words.has(b))) return false
  if (words.has(`-${tail}`) && tail.length >= 4) return true
  const tailIsWord = words.has(tail)
  if (tailIsWord && (words.has(`${head}-`) || hyphenatedBeforeWord.test(head))) return true
  if (!words.has(head)) return false
  if (isFrench(words) && frenchTail.test(tail)) return true
  return tailIsWord && head.length >= 3 && tail.length >= 4 && isEnglish(words) && !closedFirst.test(head) && !closedSecond.test(tail)
}

/** Languages that write their compounds closed, known by two of their commonest words. */
const closing: readonly (readonly [string, string])[] = [
  ['und', 'der'],
  ['het', 'een'],
  ['och', 'att'],
  ['og', 'det'],
]
const isEnglish = (words: WordSet): boolean => words.has('the') && words.has('of')
const isFrench = (words: WordSet): boolean => words.has('les') && words.has('dans')

/** First and second halves of English words that are written closed: "somewhere", "understand", "perform"; "readable", "evermore". */
const closedFirst =
  /^(?:some|any|every|where|there|here|when|what|which|who|how|never|ever|more|over|under|out|per|for|with|him|her|your|our|them|through|along|may|not|can)$/iu
const closedSecond = /^(?:able|ably|ability|less|lessly|ness|fully|ever|more|most|self|selves|times?|where|things?|wise|ways?|ward|wards|what|after)$/iu

/** What French ties to the word before: pronouns behind a verb, "-même", "-là", "peut-être". */
const frenchTail = /^(?:ils?|elles?|on|je|tu|nous|vous|ce|moi|toi|lui|leur|les?|la|y|en|là|ci|mêmes?|être)$/iu
