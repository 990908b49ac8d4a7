import type { TableCell } from '../schema/page.ts'

/** A table as plain text: a line a row, cells apart by tabs, a cell over several rows or columns once; rows without text are left out. */
export function tableText(table: { readonly rows: number; readonly cells: readonly Pick<TableCell, 'row' | 'text'>[] }): string {
  const rows: string[][] = Array.from({ length: table.rows }, () => [])
  for (const cell of table.cells) rows[cell.row]?.push(cell.text.replace(/\s+/gu, ' '))
  return rows
    .map((row) => row.join('\t').trimEnd())
    .filter((row) => row !== '')
    .join('\n')
}
