import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type GuardOptions, openGuard, upTo } from '../../../../../src/runtime/vlm/guard/open-guard.ts'

const ofText: GuardOptions = { mostCharacters: 200_000, lines: true }
const ofPage: GuardOptions = { ...ofText, boxes: true }
const everything: GuardOptions = { ...ofPage, element: '<box:' }

/** Hears the answer in pieces of the given length until it is enough. */
function hear(answer: string, options: GuardOptions = ofText, pieceLength = 7): { reason: string | undefined; kept: string; heard: number } {
  const guard = openGuard(options)
  let at = 0
  for (; at < answer.length; at += pieceLength) if (guard.push(answer.slice(at, at + pieceLength)) === 'enough') break
  return { reason: guard.reason, kept: guard.cutAt === undefined ? answer : upTo(answer, guard.cutAt), heard: Math.min(answer.length, at + pieceLength) }
}

const prose = Array.from({ length: 60 }, (_, i) => `Sentence number ${i} tells of ${i * 37} things that differ from all others.`).join('\n')
const lines = (count: number, line: (i: number) => string): string => Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('')

describe('near-equal lines', () => {
  it('cuts the answer at the first of lines that differ by their boxes, case and spaces alone', () => {
    const loop = lines(200, (i) => `<|det|>image_caption [301, ${55 + i}, 500, ${60 + i}]<|/det|> ${i % 2 ? 'B' : ' b '}`)
    expect(hear(`${prose}\n${loop}`)).toMatchObject({ reason: 'near-equal-lines', kept: `${prose}\n` })
  })

  it('needs 96 of them', () => {
    expect(hear(lines(95, () => 'Yes')).reason).toBeUndefined()
    expect(hear(lines(96, () => 'Yes')).reason).toBe('near-equal-lines')
  })

  it('keeps a few honest lines in front of them', () => {
    const { kept } = hear(`Title\nAuthor\nDate\n${lines(120, (i) => 'BJ*'[i % 3] as string)}`)
    expect(kept).toBe('Title\nAuthor\nDate\n')
  })

  it('takes nine different lines for honest, and lines with numbers that differ', () => {
    expect(hear(lines(90, (i) => `row ${i % 9}`)).reason).toBeUndefined()
    expect(hear(lines(400, (i) => `row ${i % 9} ${'x'.repeat(i % 5)}`)).reason).toBeUndefined()
    expect(hear(lines(400, (i) => `${i}`)).reason).toBeUndefined()
  })

  it('begins anew after a long line', () => {
    expect(hear(lines(300, (i) => (i % 50 === 0 ? `${i} ${'long '.repeat(30)}` : i % 2 ? 'Yes' : 'No'))).reason).toBeUndefined()
  })

  it('hears blocks that stand on one line', () => {
    const loop = Array.from({ length: 200 }, (_, i) => `<|det|>image [3, ${i}, 5, ${i + 1}]<|/det|>`).join('')
    expect(hear(`${prose}\n${loop}`, { ...ofText })).toMatchObject({ reason: 'near-equal-lines', kept: `${prose}\n` })
  })
})

describe('exact repeats', () => {
  it('cuts after the first unit', () => {
    const unit = 'the model says this again and again, '
    const { reason, kept } = hear(prose + unit.repeat(200))
    expect(reason).toBe('exact-repeats')
    expect(kept.length).toBeGreaterThanOrEqual(prose.length)
    expect(kept.length).toBeLessThanOrEqual(prose.length + 2 * unit.length)
  })

  it('notices them within a fixed number of characters, whatever the unit', () => {
    const unitOf = (length: number): string => Array.from({ length }, (_, i) => String.fromCharCode(97 + ((i * i + 7 * i) % 23))).join('')
    for (const length of [1, 2, 7, 40, 100, 777, 1500, 2000]) {
      const { reason, heard } = hear(prose + unitOf(length).repeat(Math.ceil(30_000 / length)))
      expect(reason, `unit of ${length}`).toBe('exact-repeats')
      expect(heard - prose.length).toBeLessThanOrEqual(Math.max(8_000, 8 * length) + 1_100)
    }
  })

  it('hears cells and empty lines without end', () => {
    expect(hear(`<fcel>a<nl>${'<ecel>'.repeat(2000)}`).reason).toBe('exact-repeats')
    expect(hear(`text${'\n'.repeat(5000)}`).reason).toBe('exact-repeats')
    expect(hear(`<table>${'<tr><td></td><td></td></tr>'.repeat(1000)}`).reason).toBe('exact-repeats')
  })

  it('takes tables with 200 equal rows for honest', () => {
    for (const columns of [1, 2, 5, 10, 20])
      for (const [cell, end] of [
        ['<ecel>', '<nl>'],
        ['<fcel>0.00', '<nl>'],
        ['<td></td>', '</tr>'],
        ['<td>-</td>', '</tr>\n'],
        ['<td>\n</td>', '\n</tr>\n'],
        ['| ', '|\n'],
      ] as const) {
        const row = `${end.includes('tr') ? '<tr>' : ''}${cell.repeat(columns)}${end}`
        expect(hear(`${prose}\n${row.repeat(200)}`).reason, row).toBeUndefined()
      }
  })

  it('takes dot leaders, ruled lines of a form and sheets of labels for honest', () => {
    expect(hear(lines(80, (i) => `Chapter ${i} ${'. '.repeat(90)} ${i * 3}`)).reason).toBeUndefined()
    expect(hear(lines(20, () => '_'.repeat(75))).reason).toBeUndefined()
    expect(hear(lines(65, () => 'ACME Ltd, 1 High Street, Sometown, Great Britain')).reason).toBeUndefined()
    expect(hear(lines(24, () => `Voucher: ${'one free coffee with every cake '.repeat(6)}`)).reason).toBeUndefined()
  })
})

describe('elements of a layout', () => {
  const layout = (count: number): string => lines(count, (i) => `<box:035 ${100 + i} 500 ${110 + i}><label:text><up>`)
  const options: GuardOptions = { mostCharacters: 200_000, element: '<box:' }

  it('are cut where one comes for the second time, at its third', () => {
    const line = '<box:001 002 003 004><label:text><up>\n'
    expect(hear(layout(40) + line.repeat(5), options)).toMatchObject({ reason: 'equal-elements', kept: layout(40) + line })
  })

  it('are cut where several take turns', () => {
    expect(hear(layout(40).repeat(4), options)).toMatchObject({ reason: 'equal-elements', kept: layout(40) })
  })

  it('are honest by the hundred', () => {
    expect(hear(layout(800), options).reason).toBeUndefined()
  })
})

describe('boxes', () => {
  const block = (kind: string, box: string, content = ''): string => `<|det|>${kind} [${box}]<|/det|>${content}\n`
  const page = block('text', '10, 10, 400, 100', 'one') + block('image', '10, 200, 900, 800') + block('text', '10, 850, 900, 900', 'two')
  const options: GuardOptions = { mostCharacters: 200_000, boxes: true }

  it('that are empty and lie inside earlier ones end the answer at the third in a row', () => {
    const inside = block('image', '20, 210, 30, 220') + block('image', '20, 210, 31, 220') + block('image', '20, 210, 32, 220')
    expect(hear(page + inside + block('image', '1, 1, 2, 2'), options)).toMatchObject({ reason: 'repeated-boxes', kept: page })
  })

  it('that come again with their words end it too', () => {
    expect(hear(page + page + block('text', '1, 1, 2, 2'), options)).toMatchObject({ reason: 'repeated-boxes', kept: page })
  })

  it('with words inside an image are honest, and images on a ground that fills the page', () => {
    const words = lines(5, (i) => block('text', `20, ${210 + i}, 30, ${220 + i}`, `label ${i}`))
    expect(hear(page + words + page.slice(0, 40), options).reason).toBeUndefined()
    const images = Array.from({ length: 20 }, (_, i) => block('image', `${i * 40}, 10, ${i * 40 + 30}, 40`)).join('')
    expect(hear(block('image', '0, 0, 1000, 1000') + images, options).reason).toBeUndefined()
  })
})

describe('marks', () => {
  it('that do not come at once end the answer, of which what was heard is kept', () => {
    for (const options of [ofPage, { mostCharacters: 200_000, element: '<box:' }]) {
      const { reason, kept, heard } = hear(prose, options)
      expect(reason).toBe('missing-mark')
      expect(prose.startsWith(kept)).toBe(true)
      expect(kept.trim()).not.toBe('')
      expect(heard).toBeLessThan(280)
    }
  })

  it('may have a word or two in front of them', () => {
    expect(hear(`<PAGE>\n<|ref|>title<|/ref|><|det|>[1, 2, 3, 4]<|/det|>${prose}`, ofPage).reason).toBeUndefined()
    expect(hear('No marks, but short.', ofPage).reason).toBeUndefined()
  })
})

describe('a guard', () => {
  it('ends an answer that is too long, and stays with it', () => {
    const guard = openGuard({ mostCharacters: 10 })
    expect(guard.push('0123456789')).toBeUndefined()
    expect(guard.push('x')).toBe('enough')
    expect(guard.push('')).toBe('enough')
    expect([guard.cutAt, guard.reason]).toEqual([10, 'too-long'])
  })

  it('says the same whatever the pieces', () => {
    const answer = prose + 'again and again '.repeat(300)
    const whole = hear(answer, ofText, answer.length)
    for (const length of [1, 3, 64]) expect(hear(answer, ofText, length)).toMatchObject({ reason: whole.reason, kept: whole.kept })
  })

  it('leaves no half of a character', () => {
    expect(upTo('a😀b', 2)).toBe('a')
    expect(upTo('a😀b', 3)).toBe('a😀')
  })

  it('never throws, and cuts inside what it has heard', () => {
    const part = fc.constantFrom(
      '<|det|>',
      '<|/det|>',
      '<box:',
      '[1, 2, 3, 4]',
      '\n',
      'image ',
      '<td>',
      '<ecel>',
      '<nl>',
      'x',
      '😀',
      '<',
      '1 2 3 4><label:text><up>',
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(part, fc.integer({ min: 1, max: 120 })), { maxLength: 20 }), fc.integer({ min: 1, max: 50 }), (parts, length) => {
        const answer = '<|det|><box:'.concat(...parts.map(([text, times]) => text.repeat(times)))
        const { kept } = hear(answer, everything, length)
        expect(answer.startsWith(kept)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('hears 9 million characters in seconds, whatever they are', { timeout: 30_000 }, () => {
    for (const part of ['a', 'ab', '<|det|>', '<box:', '[1,', '\n', `${'a'.repeat(511)}b`, `${'a'.repeat(2047)}b`, `${prose}\u0000`]) {
      const guard = openGuard({ ...everything, mostCharacters: 1_000_000 })
      guard.push('<|det|><box:')
      for (let i = 0; i < 1_000_000 / part.length; i++) guard.push(`${part}${i % 97 === 0 ? i : ''}`)
    }
  })
})
