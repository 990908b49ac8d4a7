// @ts-expect-error It has no types.
import PDFDocument from 'pdfkit'

/** A document of one page that opens with the password alone. */
export async function lockedPdf(userPassword: string, text: string): Promise<Buffer> {
  const pdf = new PDFDocument({ userPassword, pdfVersion: '1.7' })
  const pieces: Buffer[] = []
  pdf.on('data', (piece: Buffer) => pieces.push(piece))
  pdf.text(text)
  await new Promise((resolve) => pdf.on('end', resolve).end())
  return Buffer.concat(pieces)
}
