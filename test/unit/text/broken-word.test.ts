import { describe, expect, it } from 'vitest'
import { looksHyphenated, spelledWithHyphen } from '../../../src/text/broken-word.ts'
import { WordSet } from '../../../src/text/word-set.ts'

const wordsOf = (text: string): WordSet => {
  const words = new WordSet()
  words.add(text)
  return words
}

describe('a word set', () => {
  it('knows words, compounds and how they begin and end, in any case', () => {
    const words = wordsOf('Über the “Well-Known” end‐user’s côté.')
    for (const word of ['über', 'the', 'well-known', 'Well-', '-known', 'end-user', 'côté']) expect(words.has(word), word).toBe(true)
    for (const word of ['well', 'known', 'end', 'cot', 'wellknown', 'known-']) expect(words.has(word), word).toBe(false)
  })

  it('leaves out words that were put together at a line end', () => {
    const words = new WordSet()
    words.add('a selfpublishing house and a printer', [6])
    expect(words.has('selfpublishing')).toBe(false)
    expect(words.has('house')).toBe(true)
    expect(words.has('printer')).toBe(true)
  })
})

describe('the hyphen of a broken word', () => {
  it('follows the spelling elsewhere, closed before hyphenated', () => {
    expect(spelledWithHyphen('dual', 'encoder', wordsOf('a dual-encoder'))).toBe(true)
    expect(spelledWithHyphen('docu', 'ment', wordsOf('this document'))).toBe(false)
    expect(spelledWithHyphen('data', 'base', wordsOf('a database, a data-base'))).toBe(false)
    expect(spelledWithHyphen('vocab', 'ulary', wordsOf('nothing of it'))).toBeUndefined()
  })

  it('stays behind words that are never written together with what follows', () => {
    expect(spelledWithHyphen('self', 'publishing', wordsOf(''))).toBe(true)
    expect(spelledWithHyphen('seven', 'teen', wordsOf(''))).toBeUndefined()
  })

  it.each([
    ['high', 'dimensional', 'low-dimensional vectors'],
    ['non', 'trivial', 'a trivial and a non-linear case'],
    ['treatment', 'related', 'the treatment of related cases'],
    ['well', 'suited', 'it is suited'],
    ['peut', 'être', 'il peut les voir dans un an'],
    ['lui', 'même', 'lui et les autres, dans un an'],
  ])('stays in %s-%s beside "%s"', (head, tail, text) => expect(looksHyphenated(head, tail, wordsOf(text))).toBe(true))

  it.each([
    ['con', 'text', 'the text of it'],
    ['some', 'where', 'some of the places where'],
    ['so', 'lution', 'so the end of it'],
    ['in', 'formation', 'in the formation of it'],
    ['zusammen', 'fassen', 'und der Stift, zusammen zu fassen'],
    ['Lie', 'gruppen', 'und der Satz von Nicht-Gruppen'],
    ['mainte', 'nant', 'les gens dans la rue'],
  ])('goes from %s-%s beside "%s"', (head, tail, text) => expect(looksHyphenated(head, tail, wordsOf(text))).toBe(false))
})
