import { deflateSync } from 'node:zlib'

/** Writes a PDF of numbered objects with a cross-reference table; the same calls give the same bytes. */
export class PdfWriter {
  #chunks = []
  #offsets = []
  #length = 0

  constructor() {
    this.#write('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')
  }

  /** Takes the next object number, to be written later. */
  reserve() {
    this.#offsets.push(0)
    return this.#offsets.length
  }

  /** Writes an object; `body` is what stands between `obj` and `endobj`. Returns its number. */
  object(body, number = this.reserve()) {
    this.#offsets[number - 1] = this.#length
    this.#write(`${number} 0 obj\n${body}\nendobj\n`)
    return number
  }

  /** Writes a compressed stream; `content` is Latin-1 text. Returns its number. */
  stream(content, number = this.reserve()) {
    const bytes = deflateSync(Buffer.from(content, 'latin1'), { level: 6 })
    this.#offsets[number - 1] = this.#length
    this.#write(`${number} 0 obj\n<< /Length ${bytes.length} /Filter /FlateDecode >>\nstream\n`)
    this.#write(bytes)
    this.#write('\nendstream\nendobj\n')
    return number
  }

  /** The whole file. `root` is the catalog's number. */
  finish(root) {
    const start = this.#length
    const rows = this.#offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
    const size = this.#offsets.length + 1
    this.#write(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} /Root ${root} 0 R >>\nstartxref\n${start}\n%%EOF\n`)
    return Buffer.concat(this.#chunks)
  }

  #write(part) {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part
    this.#chunks.push(bytes)
    this.#length += bytes.length
  }
}

/** A string operand: brackets and backslashes escaped. */
export const pdfString = (text) => `(${text.replace(/[\\()]/g, '\\$&')})`
