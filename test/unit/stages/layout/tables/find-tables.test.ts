import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGeometry } from '../../../../../src/stages/layout/atoms/build-geometry.ts'
import { findTables } from '../../../../../src/stages/layout/tables/find-tables.ts'
import { SyntheticPage } from '../../../../support/synthetic-page.ts'
import { tableFaults } from '../../../../support/table-faults.ts'

/** Tables of a page as rows of texts; a cell over several places is followed by its spans. */
function tablesOf(page: SyntheticPage): string[][][] {
  const geometry = buildGeometry(page.gated()).page
  return findTables(geometry).map((found) => {
    expect(tableFaults(geometry, found)).toEqual([])
    return Array.from({ length: found.table.rows }, (_, r) =>
      found.table.cells
        .filter((cell) => cell.row === r)
        .map((cell) => {
          const text = cell.lines.flatMap((line) => (line.words ?? []).map((w) => geometry.words[w]?.text ?? '')).join(' ')
          return cell.rowSpan > 1 || cell.columnSpan > 1 ? `${text} (${cell.rowSpan}x${cell.columnSpan})` : text
        }),
    )
  })
}

const headerRowsOf = (page: SyntheticPage) => findTables(buildGeometry(page.gated()).page).map((found) => found.table.headerRows)

const flat = (page: SyntheticPage, at: number, from: number, to: number) => page.rules.push({ direction: 'horizontal', at, from, to, thickness: 0.5 })
const upright = (page: SyntheticPage, at: number, from: number, to: number) => page.rules.push({ direction: 'vertical', at, from, to, thickness: 0.5 })

/** Lines of a grid, all pieces drawn. */
function drawGrid(page: SyntheticPage, xs: readonly number[], ys: readonly number[]): void {
  for (const y of ys) flat(page, y, xs[0] ?? 0, xs.at(-1) ?? 0)
  for (const x of xs) upright(page, x, ys[0] ?? 0, ys.at(-1) ?? 0)
}

const sentence = 'the quick brown fox jumps over the lazy dog and runs away from it'
const paragraph = (page: SyntheticPage, x: number, y: number, lines: number, words = sentence) =>
  page.column(
    Array.from({ length: lines }, (_, i) => (i % 2 ? words.replace('quick', 'early') : words)),
    x,
    y,
  )

describe('tables drawn with lines', () => {
  it('reads a full grid', () => {
    const page = new SyntheticPage()
    drawGrid(page, [100, 200, 300], [100, 120, 140])
    for (const [text, x, y] of [
      ['Name', 105, 114],
      ['Age', 205, 114],
      ['Ann', 105, 134],
      ['31', 205, 134],
    ] as const)
      page.write(text, x, y)
    expect(tablesOf(page)).toEqual([
      [
        ['Name', 'Age'],
        ['Ann', '31'],
      ],
    ])
  })

  it('makes one cell of places that no line parts', () => {
    const page = new SyntheticPage()
    for (const y of [100, 120, 140, 160]) flat(page, y, y === 140 ? 200 : 100, 300)
    upright(page, 100, 100, 160)
    upright(page, 200, 120, 160)
    upright(page, 300, 100, 160)
    page.write('Both columns', 150, 114)
    page.write('Two rows', 105, 144)
    page.write('upper', 205, 134)
    page.write('lower', 205, 154)
    expect(tablesOf(page)).toEqual([[['Both columns (1x2)'], ['Two rows (2x1)', 'upper'], ['lower']]])
  })

  it('bears gaps, doubled and slightly shifted lines', () => {
    const page = new SyntheticPage()
    for (const y of [100, 120, 140]) {
      flat(page, y, 100, 198)
      flat(page, y + 0.8, 200, 300)
      flat(page, y + 1.6, 100, 300)
    }
    for (const x of [100, 200, 300]) {
      upright(page, x, 100, 118)
      upright(page, x + 0.7, 121, 141)
    }
    for (const [text, x, y] of [
      ['a', 105, 114],
      ['b', 205, 114],
      ['c', 105, 134],
      ['d', 205, 134],
    ] as const)
      page.write(text, x, y)
    expect(tablesOf(page)).toEqual([
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ])
  })

  it('keeps wrapped text of a ruled cell in one cell', () => {
    const page = new SyntheticPage()
    drawGrid(page, [100, 200, 300], [100, 130, 160])
    page.column(['first line', 'and second'], 105, 112)
    page.write('short', 205, 112)
    page.column(['third line', 'and fourth'], 105, 142)
    page.write('brief', 205, 142)
    expect(tablesOf(page)).toEqual([
      [
        ['first line and second', 'short'],
        ['third line and fourth', 'brief'],
      ],
    ])
  })

  it('parts the rows of a table that is ruled between columns only', () => {
    const page = new SyntheticPage()
    for (const x of [100, 200, 300, 400]) upright(page, x, 100, 180)
    for (const [r, row] of [
      ['a', '1', '2'],
      ['b', '3', '4'],
      ['c', '5', '6'],
    ].entries())
      for (const [c, text] of row.entries()) page.write(text, 105 + c * 100, 115 + r * 20)
    expect(tablesOf(page)).toEqual([
      [
        ['a', '1', '2'],
        ['b', '3', '4'],
        ['c', '5', '6'],
      ],
    ])
  })

  it('parts rows that lines only frame in groups', () => {
    const page = new SyntheticPage()
    drawGrid(page, [100, 200, 300], [100, 120, 182])
    page.write('Year', 105, 114)
    page.write('Total', 205, 114)
    page.column(['first', 'second', 'third'], 105, 134, { leading: 20 })
    page.column(['17', '23', '42'], 205, 134, { leading: 20 })
    expect(tablesOf(page)).toEqual([
      [
        ['Year', 'Total'],
        ['first', '17'],
        ['second', '23'],
        ['third', '42'],
      ],
    ])
  })

  it('splits a drawn row that holds two rows of figures beside one label', () => {
    const page = new SyntheticPage()
    drawGrid(page, [100, 200, 300, 400], [100, 120, 150])
    for (const [c, text] of ['Size', 'A', 'B'].entries()) page.write(text, 105 + c * 100, 114)
    page.write('big', 105, 139)
    page.column(['1.5', '2.5'], 205, 132)
    page.column(['3.5', '4.5'], 305, 132)
    expect(tablesOf(page)).toEqual([
      [
        ['Size', 'A', 'B'],
        ['big (2x1)', '1.5', '3.5'],
        ['2.5', '4.5'],
      ],
    ])
  })

  it('begins at the right in right-to-left writing', () => {
    const page = new SyntheticPage()
    drawGrid(page, [100, 200, 300], [100, 120, 140])
    for (const [text, x, y] of [
      ['גיל', 105, 114],
      ['שם', 205, 114],
      ['31', 105, 134],
      ['דנה', 205, 134],
    ] as const)
      page.write(text, x, y)
    expect(tablesOf(page)).toEqual([
      [
        ['שם', 'גיל'],
        ['דנה', '31'],
      ],
    ])
  })

  it('leaves the lines of a nested table to the outer cell', () => {
    const page = new SyntheticPage()
    drawGrid(page, [100, 300, 500], [100, 200, 300])
    drawGrid(page, [320, 380, 440], [120, 140, 160])
    for (const [text, x, y] of [
      ['a', 105, 114],
      ['n1', 325, 134],
      ['n2', 385, 134],
      ['c', 105, 214],
      ['d', 305, 214],
    ] as const)
      page.write(text, x, y)
    expect(tablesOf(page)).toHaveLength(1)
  })

  it('turns a table that stands sideways on an upright page', () => {
    const page = new SyntheticPage()
    drawGrid(page, [100, 120, 140], [100, 200, 300])
    for (const [text, x, y] of [
      ['Name', 126, 105],
      ['Age', 126, 205],
      ['Ann', 106, 105],
      ['31', 106, 205],
    ] as const)
      page.write(text, x, y, { angle: 90 })
    expect(tablesOf(page)).toEqual([
      [
        ['Name', 'Age'],
        ['Ann', '31'],
      ],
    ])
    expect(findTables(buildGeometry(page.gated()).page)[0]?.angle).toBe(90)
  })

  it('reads rows painted in turn, and does not take the paint for a header', () => {
    const page = new SyntheticPage()
    for (const [r, row] of [
      ['ant', '1', '20'],
      ['bee', '2', '30'],
      ['cat', '3', '40'],
      ['dog', '4', '50'],
    ].entries()) {
      if (r % 2 === 0) page.fills.push({ box: [100, 100 + r * 20, 400, 120 + r * 20], color: '#ddeeff', stroked: false })
      for (const [c, text] of row.entries()) page.write(text, 105 + c * 100, 114 + r * 20)
    }
    expect(tablesOf(page)).toEqual([
      [
        ['ant', '1', '20'],
        ['bee', '2', '30'],
        ['cat', '3', '40'],
        ['dog', '4', '50'],
      ],
    ])
    expect(headerRowsOf(page)).toEqual([0])
  })
})

describe('tables between horizontal lines', () => {
  function booktabs(): SyntheticPage {
    const page = new SyntheticPage()
    flat(page, 100, 100, 500)
    page.write('Score', 330, 112)
    flat(page, 116, 300, 400)
    page.write('Method', 100, 130)
    page.write('dev', 305, 130)
    page.write('test', 370, 130)
    page.write('Time', 460, 130)
    flat(page, 136, 100, 500)
    for (const [r, row] of [
      ['Ours', '91.2', '90.1', '3'],
      ['Theirs, with a longer name', '88.0', '87.5', '12'],
      ['Baseline', '71.9', '70.0', '1'],
    ].entries()) {
      for (const [c, text] of row.entries()) page.write(text, [100, 305, 370, 460][c] ?? 0, 150 + r * 14)
    }
    flat(page, 184, 100, 500)
    return page
  }

  it('takes rows and columns from white space and spans from short lines', () => {
    expect(tablesOf(booktabs())).toEqual([
      [
        ['', 'Score (1x2)', ''],
        ['Method', 'dev', 'test', 'Time'],
        ['Ours', '91.2', '90.1', '3'],
        ['Theirs, with a longer name', '88.0', '87.5', '12'],
        ['Baseline', '71.9', '70.0', '1'],
      ],
    ])
  })

  it('ends the header at the line under it', () => {
    expect(headerRowsOf(booktabs())).toEqual([2])
  })

  it('finds nothing between the lines of running head and foot', () => {
    const page = new SyntheticPage()
    flat(page, 50, 50, 550)
    paragraph(page, 50, 80, 20)
    flat(page, 740, 50, 550)
    expect(tablesOf(page)).toEqual([])
  })
})

describe('tables without lines', () => {
  const rows = [
    ['Country', 'Area', 'People', 'Since'],
    ['Austria', '83,879', '8.9', '1955'],
    ['Belgium', '30,689', '11.5', '1830'],
    ['Denmark', '42,951', '5.8', '965'],
  ]
  function unruled(): SyntheticPage {
    const page = new SyntheticPage()
    paragraph(page, 80, 60, 4)
    for (const [r, row] of rows.entries()) for (const [c, text] of row.entries()) page.write(text, 80 + c * 110, 150 + r * 15, { bold: r === 0 })
    paragraph(page, 80, 250, 4)
    return page
  }

  it('reads columns that stand over each other, and leaves the paragraphs around alone', () => {
    expect(tablesOf(unruled())).toEqual([rows])
    expect(headerRowsOf(unruled())).toEqual([1])
  })

  it('joins a label that wraps', () => {
    const page = new SyntheticPage()
    for (const [r, [label, a, b]] of (
      [
        ['Income', '10', '12'],
        ['Costs of goods and', '', ''],
        ['services sold', '7', '8'],
        ['Result', '3', '4'],
      ] as const
    ).entries()) {
      page.write(label, 80, 100 + r * 12)
      if (a) page.write(a, 250, 100 + r * 12)
      if (b) page.write(b, 330, 100 + r * 12)
    }
    expect(tablesOf(page)).toEqual([
      [
        ['Income', '10', '12'],
        ['Costs of goods and services sold', '7', '8'],
        ['Result', '3', '4'],
      ],
    ])
  })

  it('keeps empty cells empty', () => {
    const page = new SyntheticPage()
    for (const [r, row] of [
      ['Item', 'Place', 'Old', 'New'],
      ['A1', 'X', '45', ''],
      ['', 'Y', '', '28'],
      ['B2', '', '78', '77'],
      ['C3', 'Z', '', '15'],
    ].entries()) {
      for (const [c, text] of row.entries()) if (text) page.write(text, 80 + c * 100, 100 + r * 15, { bold: r === 0 })
    }
    expect(tablesOf(page)).toEqual([
      [
        ['Item', 'Place', 'Old', 'New'],
        ['A1', 'X', '45', ''],
        ['', 'Y', '', '28'],
        ['B2', '', '78', '77'],
        ['C3', 'Z', '', '15'],
      ],
    ])
  })

  it('leaves what stands beside a table in the next column of the page alone', () => {
    const page = new SyntheticPage()
    paragraph(page, 40, 60, 8, 'short prose of one narrow column in a paper')
    page.write('Results', 40, 180, { bold: true })
    paragraph(page, 40, 204, 8, 'short prose of one narrow column in a paper')
    for (const [r, row] of rows.entries()) for (const [c, text] of row.entries()) page.write(text, 320 + c * 65, 168 + r * 12, { bold: r === 0 })
    expect(tablesOf(page)).toEqual([rows])
  })

  it('finds the table of a picture from its regions', () => {
    const page = new SyntheticPage()
    page.verdict = 'needs-reading'
    for (let r = 0; r < 4; r++) for (let c = 0; c < 3; c++) page.region(80 + c * 150, 100 + r * 30, 60, 14)
    const found = findTables(buildGeometry(page.gated()).page)
    expect(found.map((f) => [f.table.rows, f.table.columns])).toEqual([[4, 3]])
  })
})

describe('what is no table', () => {
  it.each<[string, (page: SyntheticPage) => void]>([
    [
      'prose in two columns',
      (page) => {
        paragraph(page, 40, 100, 20, 'short prose of one narrow column in a paper')
        paragraph(page, 320, 100, 20, 'other prose in the second narrow column here')
      },
    ],
    [
      'a list with hanging markers',
      (page) => {
        for (let i = 0; i < 6; i++) {
          page.write(`${i + 1}.`, 80, 100 + i * 14)
          page.write('an item of the list with some words', 110, 100 + i * 14)
        }
      },
    ],
    [
      'a table of contents',
      (page) => {
        for (const [i, title] of ['Introduction', 'Methods', 'Results', 'Discussion', 'References'].entries()) {
          page.write(title, 80, 100 + i * 14)
          page.write(String(3 + i * 7), 500, 100 + i * 14)
        }
      },
    ],
    [
      'contents with leaders',
      (page) => {
        for (const [i, title] of ['Introduction', 'Methods', 'Results'].entries()) {
          page.write(`${title} ${'.'.repeat(40)}`, 80, 100 + i * 14)
          page.write(String(3 + i), 500, 100 + i * 14)
        }
      },
    ],
    [
      'a list of references',
      (page) => {
        for (let i = 0; i < 5; i++) {
          page.write(`[${i + 1}]`, 60, 100 + i * 24)
          page.column(['A. Author and B. Writer, On the nature of things that', 'are written down, Journal of Papers 12 (1999)'], 90, 100 + i * 24)
        }
      },
    ],
    [
      'a block of authors',
      (page) => {
        for (const [c, x] of [100, 280, 440].entries()) page.column([`Author ${'ABC'[c]}`, 'Some University', `${'abc'[c]}@example.org`], x, 120)
      },
    ],
    [
      'a letterhead of two lines',
      (page) => {
        page.write('Our sign:', 80, 100)
        page.write('AB/12', 160, 100)
        page.write('Date:', 80, 114)
        page.write('1 May 1999', 160, 114)
      },
    ],
    [
      'equations over each other',
      (page) => {
        for (let i = 0; i < 3; i++) {
          page.write('f(x)', 200, 100 + i * 20, { symbolic: true })
          page.write('= ax + b', 260, 100 + i * 20, { symbolic: true })
          page.write(`(${i + 1})`, 520, 100 + i * 20)
        }
      },
    ],
    [
      'a frame around a text',
      (page) => {
        drawGrid(page, [80, 520], [100, 240])
        paragraph(page, 90, 120, 8)
      },
    ],
    [
      'a boxed text with a line under its title',
      (page) => {
        drawGrid(page, [80, 520], [100, 125, 240])
        page.write('Abstract', 90, 115)
        paragraph(page, 90, 140, 6)
      },
    ],
    [
      'boxes joined by arrows',
      (page) => {
        for (const x of [80, 240, 400]) drawGrid(page, [x, x + 100], [100, 130])
        for (const x of [180, 340]) flat(page, 115, x, x + 60)
        for (const [i, x] of [90, 250, 410].entries()) page.write(`step ${i + 1}`, x, 118)
      },
    ],
    [
      'underlined and struck words',
      (page) => {
        for (let i = 0; i < 5; i++) {
          const end = page.write('underlined words here', 80, 100 + i * 14)
          flat(page, 102 + i * 14, 80, end)
          page.write('more', 300, 100 + i * 14)
          flat(page, 97 + i * 14, 300, 320)
        }
      },
    ],
    [
      'the axes of a chart',
      (page) => {
        flat(page, 300, 100, 400)
        upright(page, 100, 100, 300)
        for (let i = 0; i <= 5; i++) {
          upright(page, 100 + i * 60, 296, 304)
          flat(page, 300 - i * 40, 96, 104)
          page.write(String(i * 10), 96 + i * 60, 316)
          page.write(String(i), 80, 303 - i * 40)
        }
        page.drawings.push([104, 110, 396, 296])
      },
    ],
  ])('%s', (_, draw) => {
    const page = new SyntheticPage()
    draw(page)
    expect(tablesOf(page)).toEqual([])
  })
})

describe('any page', () => {
  const text = fc.constantFrom('a', '12', 'word', 'two words', '3.5', '—', 'Total', 'x1')
  it('gives grids that tile and hold each word once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 20 }), fc.boolean(), fc.constantFrom<0 | 90>(0, 0, 0, 90)), {
          maxLength: 120,
        }),
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 9 })), { maxLength: 40 }),
        (texts, lines) => {
          const page = new SyntheticPage()
          for (const [words, c, r, bold, angle] of texts) page.write(words, 50 + c * 50, 100 + r * 15, { bold, angle })
          for (const [isFlat, at, from, length] of lines) {
            if (isFlat) flat(page, 90 + at * 15, 45 + from * 50, 45 + (from + length) * 50)
            else upright(page, 45 + (at % 10) * 50, 90 + from * 15, 90 + (from + length) * 15)
          }
          const geometry = buildGeometry(page.gated()).page
          for (const found of findTables(geometry)) expect(tableFaults(geometry, found)).toEqual([])
        },
      ),
      { numRuns: 200, seed: 3 },
    )
  })
})
