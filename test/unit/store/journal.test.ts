import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Journal } from '../../../src/store/journal.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const place = async () => join(await tempFolder(), 'deep', 'a.journal')

/** A journal closed after these texts were written under the names 0, 1, … */
function written(path: string, texts: readonly string[]): void {
  const journal = new Journal(path)
  for (const [i, text] of texts.entries()) journal.putIfAbsent(`${i}`, text)
  journal.close()
}

describe('a journal', () => {
  it('gives back every text, in the run that wrote it and in the next', async () => {
    const path = await place()
    const texts = ['{"a":1}', 'ümlaut ₤ 漢字 with\nline breaks\n', 'x'.repeat(100_000)]
    const journal = new Journal(path)
    for (const [i, text] of texts.entries()) journal.putIfAbsent(`${i}`, text)
    expect(texts.map((_, i) => journal.get(`${i}`))).toEqual(texts)
    journal.close()
    const next = new Journal(path)
    expect(texts.map((_, i) => next.get(`${i}`))).toEqual(texts)
    expect(next.get('3')).toBeUndefined()
    next.close()
  })

  it('lets the first of many writers win', async () => {
    const journal = new Journal(await place())
    const wrote = Array.from({ length: 8 }, (_, i) => journal.putIfAbsent('7', `${i}`))
    expect(wrote.filter(Boolean)).toHaveLength(1)
    expect(journal.get('7')).toBe(`${wrote.indexOf(true)}`)
    journal.close()
  })

  it('keeps the records before one that a crash has cut off, wherever it was cut, and goes on behind them', async () => {
    const path = await place()
    written(path, ['first', 'second'])
    const whole = await readFile(path)
    const firstBytes = Buffer.byteLength('5 0\nfirst\n')
    for (let size = firstBytes; size < whole.length; size++) {
      await writeFile(path, whole)
      await truncate(path, size)
      const journal = new Journal(path)
      expect([journal.has('0'), journal.has('1')]).toEqual([true, false])
      expect(journal.putIfAbsent('1', 'again')).toBe(true)
      journal.close()
      const next = new Journal(path)
      expect([next.get('0'), next.get('1')]).toEqual(['first', 'again'])
      next.close()
    }
  })

  it.each(['\0'.repeat(5000), 'no head at all\n', `99999999999999 x\n`, `9999999 9\nshort\n`, 'x'.repeat(2000)])(
    'drops what is no record: %j',
    async (rest) => {
      const path = await place()
      written(path, ['first'])
      await appendFile(path, rest)
      const journal = new Journal(path)
      expect(journal.get('0')).toBe('first')
      journal.putIfAbsent('1', 'second')
      journal.close()
      expect(await readFile(path, 'utf8')).toBe('5 0\nfirst\n6 1\nsecond\n')
    },
  )

  it('lets a name that was deleted be written again, over a restart too', async () => {
    const path = await place()
    written(path, ['one', 'two'])
    const journal = new Journal(path)
    journal.delete('0')
    expect([journal.has('0'), journal.get('0')]).toEqual([false, undefined])
    journal.close()
    const next = new Journal(path)
    expect([next.has('0'), next.has('1')]).toEqual([false, true])
    expect(next.putIfAbsent('0', 'new')).toBe(true)
    expect(next.get('0')).toBe('new')
    next.close()
  })

  it('makes no file for a look, and removes the one it made', async () => {
    const path = await place()
    const journal = new Journal(path)
    expect(journal.has('0')).toBe(false)
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
    journal.putIfAbsent('0', 'text')
    expect((await stat(path)).size).toBeGreaterThan(0)
    journal.remove()
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('refuses names that would break the file', async () => {
    const journal = new Journal(await place())
    for (const name of ['a\nb', 'n'.repeat(600)]) expect(() => journal.putIfAbsent(name, 'text')).toThrow(expect.objectContaining({ code: 'internal' }))
    journal.close()
  })
})
