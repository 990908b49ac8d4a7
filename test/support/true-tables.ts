import { readFileSync } from 'node:fs'
import type { TableCell } from '../../src/schema/page.ts'

/** A table of a ground truth file. */
export interface TrueTable {
  /** 0-based pages it stands on; empty when the file does not tell. */
  readonly pages: ReadonlySet<number>
  readonly cells: Omit<TableCell, 'header'>[]
  /** Whether the file knows spans; grids of texts do not. */
  readonly spans: boolean
}

/** Reads ICDAR 2013 structure files (.xml), grids of texts (.json: rows, or tables with `data`), and .csv. */
export function readTrueTables(path: string): TrueTable[] {
  const text = readFileSync(path, 'utf8')
  if (path.endsWith('.xml')) return icdarTables(text)
  if (path.endsWith('.csv')) return [fromRows(csvRows(text), new Set())]
  const data: unknown = JSON.parse(text)
  if (!Array.isArray(data)) throw new Error(`reading ${path}: no array`)
  if (Array.isArray(data[0])) return [fromRows(data as string[][], new Set())]
  return (data as { data: { text: string }[][]; page_number?: number }[]).map((table) =>
    fromRows(
      table.data.map((row) => row.map((cell) => cell.text)),
      new Set([(table.page_number ?? 1) - 1]),
    ),
  )
}

function icdarTables(xml: string): TrueTable[] {
  return [...xml.matchAll(/<table\b.*?<\/table>/gs)].map(([table]) => {
    const cells: TrueTable['cells'] = []
    const pages = new Set<number>()
    for (const [region] of table.matchAll(/<region\b.*?<\/region>/gs)) {
      const head = attributes(/<region\b([^>]*)>/.exec(region)?.[1] ?? '')
      pages.add(Number(head.page ?? 1) - 1)
      for (const [, attributeText = '', body = ''] of region.matchAll(/<cell\b([^>]*)>(.*?)<\/cell>/gs)) {
        const at = attributes(attributeText)
        const row = Number(at['start-row'])
        const column = Number(at['start-col'])
        cells.push({
          row: row + Number(head['row-increment'] ?? 0),
          column: column + Number(head['col-increment'] ?? 0),
          rowSpan: Number(at['end-row'] ?? row) - row + 1,
          columnSpan: Number(at['end-col'] ?? column) - column + 1,
          text: unescapeXml(/<content>(.*?)<\/content>/s.exec(body)?.[1] ?? ''),
        })
      }
    }
    const first = Math.min(...cells.map((cell) => cell.row))
    return { pages, cells: cells.map((cell) => ({ ...cell, row: cell.row - first })), spans: true }
  })
}

const attributes = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/([\w-]+)=["']([^"']*)["']/g)].map(([, key, value]) => [key ?? '', value ?? '']))

const unescapeXml = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|lt|gt|quot|apos|amp);/gi, (all, decimal?: string, hex?: string) => {
    if (decimal) return String.fromCodePoint(Number(decimal))
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16))
    return { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" }[all] ?? '&'
  })

function fromRows(rows: readonly (readonly string[])[], pages: ReadonlySet<number>): TrueTable {
  const cells = rows.flatMap((row, r) => row.map((text, c) => ({ row: r, column: c, rowSpan: 1, columnSpan: 1, text })))
  return { pages, cells, spans: false }
}

function csvRows(text: string): string[][] {
  const rows: string[][] = []
  for (const line of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
    if (line === '') continue
    rows.push([...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted?.replace(/""/g, '"') ?? bare ?? ''))
  }
  return rows
}
