import { PagestreamError } from '../../../../schema/failure.ts'

const lineFeed = 10
const carriageReturn = 13
/** Bytes of one line, and of one event. Chunks of chats have some hundred. */
const mostEventBytes = 1 << 20

/**
 * Reads server-sent events (WHATWG HTML, "Server-sent events") from chunks of bytes that are cut anywhere, also within a character. Comments and all
 * fields but `data` are passed over. Lines end with LF or CR LF. Throws `answer-invalid` for an event without end.
 */
export class SseParser {
  readonly #onData: (data: string) => void
  /** Of the line that has not ended yet. */
  #rest: Buffer[] = []
  #restBytes = 0
  #data: string | undefined

  constructor(onData: (data: string) => void) {
    this.#onData = onData
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      const part = chunk.subarray(start, end)
      start = end + 1
      if (this.#restBytes === 0) this.#line(part)
      else {
        const line = Buffer.concat([...this.#rest, part])
        this.#rest = []
        this.#restBytes = 0
        this.#line(line)
      }
    }
    if (start === chunk.length) return
    this.#rest.push(chunk.subarray(start))
    this.#restBytes += chunk.length - start
    this.#bound(this.#restBytes)
  }

  /** The stream has ended: an event that lacks its empty line is given all the same. */
  end(): void {
    if (this.#restBytes > 0) this.#line(Buffer.concat(this.#rest))
    this.#rest = []
    this.#restBytes = 0
    this.#dispatch()
  }

  #line(bytes: Buffer): void {
    const line = (bytes[bytes.length - 1] === carriageReturn ? bytes.subarray(0, -1) : bytes).toString('utf8')
    if (line === '') this.#dispatch()
    if (!line.startsWith('data:')) return
    const value = line.slice(line[5] === ' ' ? 6 : 5)
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
    this.#bound(this.#data.length)
  }

  #dispatch(): void {
    const data = this.#data
    this.#data = undefined
    if (data !== undefined) this.#onData(data)
  }

  #bound(bytes: number): void {
    if (bytes > mostEventBytes) throw new PagestreamError('answer-invalid', 'reading the answer of the engine: an event of the stream has no end')
  }
}
