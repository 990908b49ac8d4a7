import { describe, expect, it } from 'vitest'
import type { FormField, PointBox } from '../../../../../src/schema/text-layer.ts'
import { unplacedWords } from '../../../../../src/stages/layout/unplaced-words.ts'
import { prose, SyntheticPage } from '../../../../support/synthetic-page.ts'

const field = (box: PointBox, value: string, more: Partial<FormField> = {}): FormField => ({ box, kind: 'text', name: 'field', value, ...more })

/** What each block says, with its kind; no word may be lost or come twice. */
function read(page: SyntheticPage): string[] {
  const blocks = page.blocks()
  expect(unplacedWords(page.gated(), blocks)).toEqual({ lost: [], doubled: [] })
  return blocks.map((block) => `${block.kind}: ${block.content ?? page.textOf(block)}`)
}

describe('form fields', () => {
  it('become blocks with the printed label beside or above them, else with their name', () => {
    const page = new SyntheticPage()
    page.write('Name:', 60, 200)
    page.write('Address:', 60, 300)
    page.fields.push(field([120, 190, 300, 204], 'Ada Lovelace'), field([58, 306, 300, 320], '12 Square'), field([60, 500, 300, 514], 'Oslo', { name: 'city' }))
    const blocks = read(page)
    expect(blocks).toEqual(expect.arrayContaining(['form_field: Name: Ada Lovelace', 'form_field: Address: 12 Square', 'form_field: city: Oslo']))
    expect(blocks.indexOf('form_field: Name: Ada Lovelace')).toBe(blocks.indexOf('text: Name:') + 1)
    expect(page.blocks().find((block) => block.kind === 'form_field')).toMatchObject({ source: 'text-layer', lines: [], box: [0.2, 0.2375, 0.5, 0.255] })
  })

  it('take the last label of a line that has several, and none from behind another field', () => {
    const page = new SyntheticPage()
    page.write('First: ........ Last:', 60, 200)
    page.fields.push(field([95, 190, 128, 204], 'Ada'), field([175, 190, 240, 204], 'King'), field([250, 190, 300, 204], 'III', { name: 'suffix' }))
    expect(read(page).filter((text) => text.startsWith('form_field'))).toEqual(['form_field: First: Ada', 'form_field: Last: King', 'form_field: suffix: III'])
  })

  it('prefer what the form calls the field to its technical name', () => {
    const page = new SyntheticPage()
    page.fields.push(field([60, 500, 300, 514], 'Oslo', { name: 'form[0].p1[0].c', label: 'City of birth' }))
    expect(read(page)).toEqual(['form_field: City of birth: Oslo'])
  })

  it('give no block when empty, unchecked, a button or off the page', () => {
    const page = new SyntheticPage()
    page.fields.push(
      field([60, 100, 300, 114], ' '),
      field([60, 200, 72, 212], 'off', { kind: 'checkbox' }),
      field([60, 300, 172, 312], 'Send', { kind: 'button' }),
      field([700, 300, 772, 312], 'away'),
      field([60, 400, 60, 400], 'no size'),
    )
    expect(read(page)).toEqual([])
  })

  it('give the state of a checked box or radio button', () => {
    const page = new SyntheticPage()
    page.fields.push(
      field([60, 200, 72, 212], 'Yes', { kind: 'checkbox', name: 'agree' }),
      field([60, 230, 72, 242], 'blue', { kind: 'radio', name: 'colour' }),
    )
    expect(read(page)).toEqual(['form_field: agree: Yes', 'form_field: colour: blue'])
  })

  it('turn the block that prints the value into theirs instead of saying it twice', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 4, 400), 60, 100)
    page.write('Name:', 60, 300)
    page.write('Ada Love lace', 260, 300)
    page.fields.push(field([258, 290, 400, 304], 'Ada Lovelace'))
    const blocks = read(page)
    expect(blocks.filter((text) => text.includes('Ada'))).toHaveLength(1)
    expect(blocks.find((text) => text.includes('Ada'))).toMatch(/^form_field: /)
  })

  it('leave a value that stands within running text where it is', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 3, 400), 60, 100)
    const word = page.words[1]
    page.fields.push(field(word?.box ?? [0, 0, 0, 0], word?.text ?? ''))
    expect(read(page).map((text) => text.split(':')[0])).toEqual(['text'])
  })

  it('stand in their own column', () => {
    const page = new SyntheticPage()
    page.column(prose('left', 14, 220), 50, 100)
    page.column(prose('right', 14, 220), 320, 100)
    page.column(prose('last', 4, 220), 320, 330)
    page.fields.push(field([320, 290, 500, 304], 'Oslo', { name: 'city' }))
    const blocks = read(page)
    expect(blocks.map((text) => /form_field|left0|right0|last0/.exec(text)?.[0])).toEqual(['left0', 'right0', 'form_field', 'last0'])
  })

  it('are read from the form, not from the picture, where the picture shows them alone', () => {
    const page = new SyntheticPage()
    page.verdict = 'needs-reading'
    page.region(60, 100, 50, 12)
    page.region(262, 191, 60, 12)
    page.fields.push(field([258, 190, 400, 204], 'Ada', { name: 'name' }))
    const fields = page.blocks().filter((block) => block.kind === 'form_field')
    expect(fields).toMatchObject([{ content: 'name: Ada', lines: [{ region: 1 }] }])
  })
})
