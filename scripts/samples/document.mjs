// What all sample PDFs share: fixed dates and identifiers, and the whole file as bytes.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import PDFDocument from 'pdfkit'

const made = new Date('2026-01-15T09:00:00Z')

export const a4 = { width: 595.28, height: 841.89 }

/** A document without pages whose bytes depend on nothing but what is drawn. `name` decides the file identifier. */
export function newDocument(name, info = {}) {
  const doc = new PDFDocument({
    autoFirstPage: false,
    size: 'A4',
    margin: 0,
    lang: 'en',
    pdfVersion: '1.7',
    info: { Creator: 'pagestream samples', Producer: 'pdfkit', CreationDate: made, ModDate: made, ...info },
  })
  doc._id = createHash('md5').update(`pagestream sample ${name}`).digest()
  return doc
}

/** Ends the document and answers with its bytes. */
export async function bytesOf(doc) {
  const parts = []
  doc.on('data', (part) => parts.push(part))
  doc.end()
  await once(doc, 'end')
  return Buffer.concat(parts)
}
