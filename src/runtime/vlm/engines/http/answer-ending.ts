/** How much of the end of `text` may be the beginning of the mark, or all of it. */
function openEnd(text: string, mark: string): number {
  if (text.lastIndexOf(mark.charAt(0)) < text.length - mark.length) return 0
  for (let length = Math.min(mark.length, text.length); length > 0; length--) if (text.endsWith(mark.slice(0, length))) return length
  return 0
}

const endsInCharacter = (text: string): boolean => /[\ud800-\udbff]$/.test(text)

/**
 * Cuts one mark of the end off an answer that comes in pieces, and nothing else: what may turn out to be the mark is held back until more has come.
 * Pieces are joined so that none ends within a character.
 */
export class AnswerEnding {
  readonly #marks: readonly string[]
  #held = ''

  constructor(marks: readonly string[]) {
    this.#marks = marks
  }

  /** What can be given on. */
  push(piece: string): string {
    const text = this.#held + piece
    const kept = this.#marks.reduce((most, mark) => Math.max(most, openEnd(text, mark)), endsInCharacter(text) ? 1 : 0)
    this.#held = text.slice(text.length - kept)
    return text.slice(0, text.length - kept)
  }

  /** What is left at the end: nothing where that is a mark. */
  end(): string {
    const left = this.#held
    this.#held = ''
    return this.#marks.includes(left) ? '' : left
  }
}
