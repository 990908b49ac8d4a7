import { scannedDocument, shortPage } from '../support/vlm/scanned-document.ts'
import type { ChaosDocument } from './chaos-documents.ts'

const lengths = [1, 2, 3, 4, 5]

/** All pages of the documents, one after the other: what the engine reads. */
export const scannedPages = Array.from({ length: lengths.reduce((sum, pages) => sum + pages, 0) }, (_, page) => shortPage(page))

/** Scans of different lengths that only a model reads, and one that is no document. */
export function scannedDocuments(): ChaosDocument[] {
  let first = 0
  const scans = lengths.map((pages) => {
    const bytes = scannedDocument(shortPage, first, pages)
    first += pages
    return { name: `scan-${pages}.pdf`, bytes }
  })
  return [...scans, { name: 'notes.pdf', bytes: Buffer.from('This is no document at all.\n') }]
}
