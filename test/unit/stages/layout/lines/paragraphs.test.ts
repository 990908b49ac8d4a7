import { describe, expect, it } from 'vitest'
import { prose, SyntheticPage } from '../../../../support/synthetic-page.ts'

const starts = (page: SyntheticPage): string[] => page.blocks().map((b) => page.words[b.lines[0]?.words?.[0] ?? -1]?.text ?? '')

describe('paragraphs', () => {
  it('part where the white between lines grows', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 5, 400), 60, 150)
    page.column(prose('b', 5, 400), 60, 218)
    expect(starts(page)).toEqual(['a0', 'b0'])
  })

  it('part at an indented first line', () => {
    const page = new SyntheticPage()
    let y = 150
    for (const name of ['a', 'b', 'c']) {
      const [first = '', ...rest] = prose(name, 5, 380)
      page.write(first, 75, y)
      page.column(rest, 60, y + 12)
      y += 60
    }
    expect(starts(page)).toEqual(['a0', 'b0', 'c0'])
  })

  it('stay whole in a column where a list hangs by its markers', () => {
    const page = new SyntheticPage()
    for (let i = 0; i < 4; i++) {
      page.write(`${i + 1}. ${prose(`i${i}x`, 2, 370)[0]}`, 75, 100 + 24 * i)
      page.write(prose(`j${i}x`, 2, 360)[0] ?? '', 88, 112 + 24 * i)
    }
    const [indented = '', ...more] = prose('b', 4, 388)
    page.write(indented, 72, 215)
    page.column(more, 60, 227)
    expect(starts(page)).toEqual(['1.', '2.', '3.', '4.', 'b0'])
  })

  it('go on further in after a full line that ends no sentence', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 6, 400), 60, 100)
    page.write(`b0 ${'x'.repeat(78)}`, 60, 172)
    page.column(prose('b', 3, 380), 80, 184)
    expect(starts(page)).toEqual(['a0', 'b0'])
  })

  it('part after a short last line though nothing else changes', () => {
    const page = new SyntheticPage()
    let y = 150
    for (const name of ['a', 'b', 'c']) y = page.column(prose(name, 5, 400), 60, y)
    expect(starts(page)).toEqual(['a0', 'b0', 'c0'])
  })

  it('part in a letter whose paragraphs of one line outnumber its wrapped lines', () => {
    const page = new SyntheticPage()
    page.write('May 5', 60, 100)
    page.write('To whom it may concern:', 60, 120)
    page.column(['There were many bottles of water and blankets delivered', 'on that day.'], 60, 140, { leading: 10 })
    page.write('Best regards,', 60, 170)
    page.write('Mallory', 60, 190)
    expect(starts(page)).toEqual(['May', 'To', 'There', 'Best', 'Mallory'])
  })

  it('part after short lines though smaller notes fill most of the page', () => {
    const page = new SyntheticPage()
    const y = page.column([...prose('a', 8, 400), 'Conclusions'], 60, 100)
    page.column(prose('b', 6, 400), 60, y)
    page.column(prose('note', 40, 480, 7), 60, 320, { size: 7 })
    expect(starts(page).slice(0, 3)).toEqual(['a0', 'Conclusions', 'b0'])
  })

  it('part at a bold label behind the end of a sentence', () => {
    const page = new SyntheticPage()
    const y = page.column([...prose('a', 4, 395).slice(0, 3), 'and so the last line of this text is nearly as long as all the others are here.'], 60, 150)
    page.write('comments must come in before the end of the month of September', page.write('DATES:', 60, y, { bold: true }) + 3, y)
    expect(starts(page)).toEqual(['a0', 'DATES:'])
  })

  it('stay whole in double spacing', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 6, 400), 60, 150, { leading: 20 })
    expect(starts(page)).toEqual(['a0'])
  })

  it('stay whole where lines break by hand', () => {
    const page = new SyntheticPage()
    page.column(['Who rides so late', 'Through night and wind', 'It is the father', 'With his child'], 60, 150)
    page.column(prose('body', 4, 400), 60, 300)
    expect(starts(page)).toEqual(['Who', 'body0'])
  })

  it('keep their lines beside a picture that pushes them in', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 4, 400).slice(0, 3), 60, 150)
    page.pictures.push({ box: [60, 180, 180, 240], widthPx: 100, heightPx: 60 })
    page.column(prose('a', 8, 270).slice(3, 7), 190, 192)
    page.column(prose('a', 9, 400).slice(7), 60, 252)
    const text = page.read().filter((b) => b.startsWith('text'))
    expect(text.join(' ').match(/a\d/g)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8'])
  })

  it('begin with their drop capital', () => {
    const page = new SyntheticPage()
    page.write('O', 60, 174, { size: 36 })
    page.column(['nce upon a time there stood a castle on', 'the ridge above the northern inlet where'], 82, 150)
    page.column(prose('rest', 4, 300), 60, 186)
    expect(page.read()[0]).toMatch(/^text: O nce upon a time/)
  })

  it('keep a raised mark inside a line from starting a note', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 4, 300), 60, 150)
    expect(page.blocks()).toHaveLength(1)
  })

  it('put right-to-left words in reading order with Latin runs as they are', () => {
    const page = new SyntheticPage()
    // Visual order from left to right: the logical line is "שלום big data עולם טוב".
    page.write('טוב עולם big data שלום', 60, 150)
    expect(page.read()[0]).toBe('text: שלום big data עולם טוב')
  })
})

describe('line breaks', () => {
  const verses = ['Who rides so late', 'Through night and wind so cold', 'It is the father', 'With his child']
  const isByHand = (page: SyntheticPage): (true | undefined)[] => page.blocks().map((b) => b.brokenByHand as true | undefined)

  it('are meant in verse: lines end though the next word would have fitted', () => {
    const page = new SyntheticPage()
    page.column(verses, 60, 150)
    page.column(prose('body', 4, 400), 60, 300)
    expect(isByHand(page)).toEqual([true, undefined])
  })

  it('are not meant in prose that is set narrower than its column', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 4, 200), 60, 150)
    page.column(['A line that is as wide as the column of text on this page is'], 60, 300)
    expect(isByHand(page)[0]).toBeUndefined()
  })
})
