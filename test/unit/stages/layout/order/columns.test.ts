import { describe, expect, it } from 'vitest'
import { prose, SyntheticPage } from '../../../../support/synthetic-page.ts'

/** First words of the lines, in reading order. */
const order = (page: SyntheticPage): string =>
  page
    .blocks()
    .flatMap((b) => b.lines.map((l) => page.words[l.words?.[0] ?? -1]?.text ?? ''))
    .join(' ')

const names = (name: string, lines: number): string => Array.from({ length: lines }, (_, i) => `${name}${i}`).join(' ')

describe('columns', () => {
  it('reads two columns one after the other though their lines share baselines', () => {
    const page = new SyntheticPage()
    for (const [i, line] of prose('left', 12, 220).entries()) {
      page.write(line, 60, 150 + i * 12)
      page.write(prose('right', 12, 220)[i] ?? '', 310, 150 + i * 12)
    }
    expect(order(page)).toBe(`${names('left', 12)} ${names('right', 12)}`)
  })

  it('splits a line that the source wrote over the gutter in one run', () => {
    const page = new SyntheticPage()
    const [left, right] = [prose('left', 10, 230), prose('right', 10, 230)]
    for (let i = 0; i < 10; i++) {
      const first = page.words.length
      page.write(left[i] ?? '', 60, 150 + i * 12)
      page.write(right[i] ?? '', 300, 150 + i * 12)
      page.lines.splice(-2, 2, { first, count: page.words.length - first, box: [60, 142 + i * 12, 530, 152 + i * 12], baseline: 150 + i * 12, angle: 0 })
    }
    expect(order(page)).toBe(`${names('left', 10)} ${names('right', 10)}`)
  })

  it('takes a running head of two rows set close off the columns below it', () => {
    const page = new SyntheticPage()
    page.write('Birch et al. Inlets 2011, 11:124', 60, 40, { size: 8 })
    page.write('Page 3 of 7', 480, 40, { size: 8 })
    page.write('http://inlets.example/11/124', 60, 50, { size: 8 })
    page.column(prose('left', 12, 220), 60, 100)
    page.column(prose('right', 12, 220), 310, 100)
    expect(
      page
        .read()
        .slice(0, 2)
        .map((b) => b.split(': ')[1]),
    ).toEqual(['Birch et al. Inlets 2011, 11:124 http://inlets.example/11/124', 'Page 3 of 7'])
    expect(page.blocks()[0]?.lines).toHaveLength(2)
  })

  it('cuts at a full-width paragraph only where it lies', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 8, 220), 60, 150)
    page.column(prose('b', 8, 220), 310, 150)
    page.column(prose('wide', 4, 470), 60, 270)
    page.column(prose('c', 8, 220), 60, 340)
    page.column(prose('d', 8, 220), 310, 340)
    expect(order(page)).toBe([names('a', 8), names('b', 8), names('wide', 4), names('c', 8), names('d', 8)].join(' '))
  })

  it('keeps paragraphs together when their gaps align in both columns', () => {
    const page = new SyntheticPage()
    for (const [x, side] of [
      [60, 'l'],
      [310, 'r'],
    ] as const) {
      for (let p = 0; p < 3; p++) page.column(prose(`${side}${p}x`, 5, 220), x, 150 + p * 90)
    }
    expect(order(page)).toBe(`${[0, 1, 2].map((p) => names(`l${p}x`, 5)).join(' ')} ${[0, 1, 2].map((p) => names(`r${p}x`, 5)).join(' ')}`)
  })

  it.each([3, 4])('reads %i columns', (count) => {
    const page = new SyntheticPage(800)
    const width = (680 - (count - 1) * 14) / count
    for (let c = 0; c < count; c++) page.column(prose(`c${c}x`, 14, width, 8), 60 + c * (width + 14), 150, { size: 8 })
    expect(order(page)).toBe(Array.from({ length: count }, (_, c) => names(`c${c}x`, 14)).join(' '))
  })

  it('reads rows of labels and values across', () => {
    const page = new SyntheticPage()
    const rows = ['Name', 'Street', 'City', 'Country', 'Phone']
    for (const [i, label] of rows.entries()) {
      page.write(label, 60, 150 + i * 14)
      page.write(`value${i}`, 200, 150 + i * 14)
    }
    const words = page.blocks().flatMap((b) => [...b.lines, ...(b.table?.cells.flatMap((c) => c.lines) ?? [])].flatMap((l) => l.words ?? []))
    expect(words.map((w) => page.words[w]?.text).join(' ')).toBe(rows.map((label, i) => `${label} value${i}`).join(' '))
  })

  it('reads boxed texts side by side one after the other though their lines are short', () => {
    const page = new SyntheticPage()
    for (const [x, side] of [
      [60, 'left'],
      [320, 'right'],
    ] as const) {
      page.fills.push({ box: [x - 8, 130, x + 180, 200], stroked: true })
      page.column([`${side}0 one`, `${side}1 two`, `${side}2 three`], x, 150, { leading: 16 })
    }
    // Written a row at a time, the boxes still tell.
    page.lines.sort((a, b) => a.baseline - b.baseline)
    expect(order(page)).toBe(`${names('left', 3)} ${names('right', 3)}`)
  })

  it('reads verses side by side a pair at a time when the source wrote them so', () => {
    const page = new SyntheticPage()
    for (let band = 0; band < 3; band++) {
      page.column(prose(`l${band}x`, 4, 200), 60, 150 + band * 90)
      page.column(prose(`r${band}x`, 4, 200), 310, 150 + band * 90)
    }
    expect(order(page)).toBe([0, 1, 2].map((b) => `${names(`l${b}x`, 4)} ${names(`r${b}x`, 4)}`).join(' '))
  })

  it('lets a figure that sticks out of its column stay in it', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 6, 220), 60, 150)
    page.pictures.push({ box: [60, 230, 330, 380], widthPx: 500, heightPx: 300 })
    page.column(prose('b', 6, 220), 60, 400)
    page.column(prose('c', 6, 220), 310, 150)
    page.column(prose('d', 11, 180), 345, 234)
    page.column(prose('e', 6, 220), 310, 400)
    const read = page.read().map((b) => b.split(' ')[1]?.replace(/\d+$/, '') || 'figure')
    expect(read.indexOf('figure')).toBeLessThan(read.indexOf('c'))
    expect(read.filter((name) => name !== 'figure').join(' ')).toBe('a b c d e')
  })

  it('reads the columns of a right-to-left page from the right', () => {
    const page = new SyntheticPage()
    const word = 'שלוםעולם'
    const line = Array.from({ length: 4 }, () => word).join(' ')
    page.column(
      Array.from({ length: 10 }, () => line),
      60,
      150,
    )
    page.column(
      Array.from({ length: 10 }, () => line),
      310,
      150,
    )
    const blocks = page.blocks()
    expect(blocks[0]?.box[0]).toBeGreaterThan(0.5)
    expect(blocks[0]?.rightToLeft).toBe(true)
    expect(blocks.at(-1)?.box[0]).toBeLessThan(0.2)
  })
})
