import { show, tinyPdf } from '../support/tiny-pdf.ts'

/** A document as it is submitted. */
export interface ChaosDocument {
  readonly name: string
  readonly bytes: Uint8Array
}

const lines = (title: string, page: number): string =>
  show(`${page}. ${title}, part ${page}`, 72, 730, 18, 'F2') +
  Array.from({ length: 14 }, (_, i) => show(`Line ${i + 1} of page ${page} of ${title} goes on to the end of its measure.`, 72, 690 - 16 * i)).join('')

/** Small documents of different lengths, one that is no document, and one that breaks off. */
export function chaosDocuments(): ChaosDocument[] {
  const good = [2, 3, 5, 7, 9, 12].map((pages) => {
    const title = `Report of ${pages}`
    return { name: `report-${pages}.pdf`, bytes: tinyPdf(Array.from({ length: pages }, (_, i) => ({ content: lines(title, i + 1) }))) }
  })
  const whole = tinyPdf([{ content: lines('Broken off', 1) }])
  return [...good, { name: 'notes.pdf', bytes: Buffer.from('This is no document at all.\n') }, { name: 'broken-off.pdf', bytes: whole.subarray(0, 40) }]
}
