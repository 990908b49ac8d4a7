import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dictionaryEntries, loadDictionary } from '../../../../src/runtime/models/dictionary.ts'
import { locateModel } from '../../../../src/runtime/models/locate-model.ts'

describe('a dictionary', () => {
  it('keeps white space, repeats and characters outside the basic plane as entries of their own', () => {
    expect(dictionaryEntries('a\n\u3000\na\n😀\n')).toEqual(['a', '\u3000', 'a', '😀'])
  })

  it('drops one carriage return and the empty piece after a final newline, and nothing else', () => {
    expect(dictionaryEntries('a\r\n\nb')).toEqual(['a', '', 'b'])
    expect(dictionaryEntries('a\nb')).toEqual(['a', 'b'])
  })

  it('of the installed reader has 6623 lines with the ideographic space at its place', async () => {
    const model = locateModel('pp-ocrv4-mobile-rec', 'pp-ocr-rec', '')
    const entries = await loadDictionary(model.dictionary ?? { metadata: '' }, model.path)
    expect(entries).toHaveLength(6623)
    expect(entries[5709]).toBe('\u3000')
    const text = model.dictionary && 'file' in model.dictionary ? readFileSync(model.dictionary.file, 'utf8') : ''
    expect(text.endsWith('\n')).toBe(false)
  })
})
