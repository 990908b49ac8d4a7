import { describe, expect, it } from 'vitest'
import { OutputFolders } from '../../../src/parse/output-folders.ts'

describe('output folders', () => {
  it('gives two files of one name folders of their own, the same ones in every run', () => {
    const names = () => {
      const folders = new OutputFolders()
      return [folders.nameOf('a.pdf', '/x/a.pdf'), folders.nameOf('a.pdf', '/y/a.pdf'), folders.nameOf('a.png', '/x/a.png')]
    }
    const [first, second, third] = names()
    expect(first).toBe('a.pdf')
    expect(second).toMatch(/^a\.pdf-[0-9a-f]{8}$/)
    expect(third).toBe('a.png')
    expect(names()).toEqual([first, second, third])
  })

  it('cuts names so that the mark of the document still fits a file name, and keeps them apart', () => {
    const folders = new OutputFolders()
    const [first, second] = ['1', '2'].map((end) => folders.nameOf(`${'é'.repeat(125)}${end}.pdf`, `/x/${end}`))
    expect(Buffer.byteLength(`${first}.json`)).toBeLessThanOrEqual(255)
    expect(first).toMatch(/^é+-[0-9a-f]{8}$/)
    expect(second).not.toBe(first)
  })

  it('never leaves the output folder', () => {
    const folders = new OutputFolders()
    expect(folders.nameOf('../../x', '/p')).toBe('_/_/x')
    expect(folders.nameOf('a:b?.pdf', '/q')).toBe('a_b_.pdf')
  })
})
