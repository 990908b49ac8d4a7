/** Longer lines come in parts: whoever writes without end fills no memory. */
const longestLine = 4096

/** Cuts what a program prints into lines, without colours. A progress bar that is drawn over itself gives a line for each drawing. */
export class LineSplitter {
  readonly #onLine: (line: string) => void
  #rest = ''

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  push(piece: string): void {
    const parts = (this.#rest + piece).split(/[\r\n]+/)
    this.#rest = parts.pop() ?? ''
    for (const part of parts) this.#tell(part)
    while (this.#rest.length > longestLine) {
      this.#tell(this.#rest.slice(0, longestLine))
      this.#rest = this.#rest.slice(longestLine)
    }
  }

  end(): void {
    this.#tell(this.#rest)
    this.#rest = ''
  }

  #tell(text: string): void {
    const line = text.replace(/\x1b\[[0-9;?]{0,20}[A-Za-z]/g, '').trimEnd()
    if (line !== '') this.#onLine(line)
  }
}
