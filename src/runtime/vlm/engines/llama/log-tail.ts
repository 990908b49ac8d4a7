const maxLines = 20
const maxLineLength = 500

/** The last lines of a log: what a library said before it failed. */
export class LogTail {
  readonly #lines: string[] = []
  #open = ''

  push(piece: string): void {
    const lines = (this.#open + piece).split('\n')
    this.#open = (lines.pop() ?? '').slice(-maxLineLength)
    for (const line of lines.slice(-maxLines)) {
      this.#lines.push(line.slice(0, maxLineLength))
      if (this.#lines.length > maxLines) this.#lines.shift()
    }
  }

  /** One line each; empty where nothing was said. */
  get text(): string {
    return [...this.#lines, this.#open].filter((line) => line.trim() !== '').join('\n')
  }
}
