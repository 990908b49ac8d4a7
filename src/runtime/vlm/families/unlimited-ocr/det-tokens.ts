/** Marks of an answer of Unlimited-OCR. */
export type DetMark = '<|ref|>' | '<|/ref|>' | '<|det|>' | '<|/det|>' | '<page>' | '<｜end▁of▁sentence｜>'

export type DetToken = { readonly text: string } | { readonly mark: DetMark }

const marks: readonly DetMark[] = ['<|ref|>', '<|/ref|>', '<|det|>', '<|/det|>', '<page>', '<｜end▁of▁sentence｜>']
const longestMark = Math.max(...marks.map(({ length }) => length))

/** Cuts an answer that comes in pieces into marks, in any case, and the text between them. Holds back at most what may become a mark. */
export class DetTokens {
  #held = ''

  push(piece: string): DetToken[] {
    const text = this.#held + piece
    this.#held = ''
    const tokens: DetToken[] = []
    let from = 0
    let to = text.length
    for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
      const ahead = text.slice(at, at + longestMark)
      const mark = marks.find((each) => ahead.slice(0, each.length).toLowerCase() === each)
      if (mark !== undefined) {
        if (at > from) tokens.push({ text: text.slice(from, at) })
        tokens.push({ mark })
        at += mark.length
        from = at
      } else if (at + ahead.length === text.length && marks.some((each) => each.startsWith(ahead.toLowerCase()))) {
        this.#held = ahead
        to = at
        break
      } else {
        at++
      }
    }
    if (to > from) tokens.push({ text: text.slice(from, to) })
    return tokens
  }

  /** What was held back and became nothing. */
  end(): DetToken[] {
    const held = this.#held
    this.#held = ''
    return held === '' ? [] : [{ text: held }]
  }
}
