import type { ParseEvent } from '../parse/parse-events.ts'
import { shown } from './terminal-text.ts'

const barWidth = 24
const redrawMs = 100

/** Pages done, pages a second and the time left, on one line of a terminal; silent elsewhere. */
export class ProgressBar {
  readonly #stream: NodeJS.WritableStream
  readonly #terminal: boolean
  readonly #startedAt = performance.now()
  #known = 0
  #done = 0
  #drawnAt = 0
  #drawn = false

  constructor(stream: NodeJS.WritableStream, terminal: boolean) {
    this.#stream = stream
    this.#terminal = terminal
  }

  show(event: ParseEvent): void {
    if (event.type === 'opened') this.#known += event.pages
    if (event.type === 'page') this.#done++
    const now = performance.now()
    if (!this.#terminal || now - this.#drawnAt < redrawMs) return
    this.#drawnAt = now
    this.#draw(now)
  }

  /** Writes a line above the bar; control characters in it are shown, not obeyed. */
  print(line: string): void {
    this.#clear()
    this.#stream.write(`${shown(line)}\n`)
  }

  end(): void {
    this.#clear()
  }

  #draw(now: number): void {
    const seconds = (now - this.#startedAt) / 1000
    const rate = this.#done / Math.max(seconds, 0.001)
    const share = this.#known > 0 ? this.#done / this.#known : 0
    const filled = Math.round(share * barWidth)
    const left = rate > 0 ? Math.ceil((this.#known - this.#done) / rate) : 0
    this.#stream.write(
      `\r\u001b[K[${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}] ${this.#done}/${this.#known} pages  ${rate.toFixed(1)} pages/s  ${clock(left)} left`,
    )
    this.#drawn = true
  }

  #clear(): void {
    if (this.#drawn) this.#stream.write('\r\u001b[K')
    this.#drawn = false
  }
}

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
