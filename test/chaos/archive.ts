import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { show, tinyPdf } from '../support/tiny-pdf.ts'

/** An archive on disk and what must become of it. */
export interface Archive {
  readonly folder: string
  readonly entries: number
  readonly complete: number
  readonly pages: number
  /** Named like documents, and none. */
  readonly failed: number
  /** Neither. */
  readonly leftOut: number
}

const page = (document: number, index: number): string =>
  show(`${index + 1}. Report ${document}, part ${index + 1}`, 72, 730, 18, 'F2') +
  Array.from({ length: 8 }, (_, i) =>
    show(`Line ${i + 1} of page ${index + 1} of report ${document} goes on to the end of its measure.`, 72, 690 - 16 * i),
  ).join('')

/** Small documents of one to three pages in folders, and among them files that are none. */
export async function writeArchive(folder: string, documents: number): Promise<Archive> {
  const write = async (name: string, bytes: Uint8Array) => {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
  let pages = 0
  for (let i = 0; i < documents; i++) {
    const count = 1 + (i % 3)
    pages += count
    const bytes = tinyPdf(Array.from({ length: count }, (_, index) => ({ content: page(i, index) })))
    await write(`${String(i % 10)}/report-${String(i).padStart(4, '0')}.pdf`, bytes)
  }
  const [failed, leftOut] = [7, 3]
  for (let i = 0; i < failed; i++)
    await write(`${i}/broken-${i}.pdf`, Buffer.from(i % 2 ? `This is no document at all, number ${i}.` : `%PDF-1.7 and nothing more ${i}`))
  for (let i = 0; i < leftOut; i++) await write(`${i}/notes-${i}.txt`, Buffer.from(`Notes ${i}, not named like a document either.`))
  return { folder, entries: documents + failed + leftOut, complete: documents, pages, failed, leftOut }
}
