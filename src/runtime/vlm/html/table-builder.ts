import type { ModelTable } from '../../../schema/vlm-block.ts'
import { shiftText } from './raised-text.ts'
import { tableBounds, tileCells, type WrittenCell } from './tile-cells.ts'

export interface HtmlReading {
  /** All rows there are, of one table or several. */
  readonly table: ModelTable | undefined
  /** The text around it, without markup; all of the text where there is no table. */
  readonly outside: string
}

/** Characters of one cell that are kept. */
const longestCell = 20_000
const lineTags = new Set(['br', 'p', 'div', 'li', 'ul', 'ol', 'tr', 'table', 'caption', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const cellTags = new Set(['td', 'th'])
const rowTags = new Set(['tr', 'table', 'thead', 'tbody', 'tfoot'])

/** Written text without control characters; its line breaks mean nothing. */
const written = (text: string): string => text.replace(/[\u0000-\u001f\u007f]/g, ' ')

/** Spaces folded, lines trimmed, empty lines left out. */
const folded = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/\s+/gu, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')

interface OpenCell {
  rowSpan: number
  columnSpan: number
  header: boolean
  text: string
}

/** Hears tags and text in their order; knows where a row or cell ends although nothing says so. Holds what it will give, and no tree. */
export class TableBuilder {
  readonly #rows: WrittenCell[][] = []
  #cells = 0
  #row: WrittenCell[] | undefined
  #cell: OpenCell | undefined
  #inHead = false
  /** Tables that are open inside the open cell. */
  #nested = 0
  #outside = ''
  /** What is raised or lowered, while it is. */
  #shifted: { readonly way: 'raised' | 'lowered'; text: string } | undefined

  text(text: string): void {
    if (this.#shifted !== undefined && this.#shifted.text.length < 64) this.#shifted.text += written(text)
    else this.#append(written(text))
  }

  open(tag: string, rowSpan: number, columnSpan: number): void {
    this.#endShift()
    if (this.#nested > 0) {
      if (tag === 'table') this.#nested++
      this.#append(cellTags.has(tag) ? ' ' : lineTags.has(tag) ? '\n' : '')
    } else if (cellTags.has(tag)) {
      this.#endCell()
      this.#row ??= []
      this.#cell = { rowSpan, columnSpan, header: tag === 'th' || this.#inHead, text: '' }
    } else if (tag === 'table' && this.#cell !== undefined) {
      this.#nested = 1
      this.#append('\n')
    } else if (rowTags.has(tag)) {
      this.#endRow()
      if (tag === 'tr') this.#row = []
      else this.#inHead = tag === 'thead'
    } else if (tag === 'sup' || tag === 'sub') {
      this.#shifted = { way: tag === 'sup' ? 'raised' : 'lowered', text: '' }
    } else if (lineTags.has(tag)) {
      this.#append('\n')
    }
  }

  close(tag: string): void {
    this.#endShift()
    if (this.#nested > 0) {
      if (tag === 'table') this.#nested--
      if (lineTags.has(tag)) this.#append('\n')
    } else if (cellTags.has(tag)) {
      this.#endCell()
    } else if (rowTags.has(tag)) {
      this.#endRow()
      if (tag !== 'tr') this.#inHead = false
    } else if (lineTags.has(tag)) {
      this.#append('\n')
    }
  }

  end(): HtmlReading {
    this.#endShift()
    this.#endRow()
    return { table: tileCells(this.#rows), outside: folded(this.#outside) }
  }

  #append(text: string): void {
    if (this.#cell === undefined) this.#outside += text
    else if (this.#cell.text.length < longestCell) this.#cell.text += text.slice(0, longestCell - this.#cell.text.length)
  }

  #endShift(): void {
    const shifted = this.#shifted
    this.#shifted = undefined
    if (shifted !== undefined) this.#append(shiftText(shifted.text, shifted.way))
  }

  #endCell(): void {
    const cell = this.#cell
    this.#cell = undefined
    if (cell === undefined || this.#row === undefined || this.#cells >= tableBounds.places) return
    this.#cells++
    this.#row.push({ ...cell, text: folded(cell.text) })
  }

  #endRow(): void {
    this.#endCell()
    if (this.#row !== undefined && this.#rows.length < tableBounds.rows) this.#rows.push(this.#row)
    this.#row = undefined
  }
}
