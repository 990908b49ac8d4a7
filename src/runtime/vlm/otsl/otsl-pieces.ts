/** The words of OTSL, a language for tables (arXiv 2305.03393), here with the text of each cell after its token. */
export type OtslToken = 'fcel' | 'ecel' | 'lcel' | 'ucel' | 'xcel' | 'nl'

/** A token, and what is written between it and the next. */
export interface OtslPiece {
  readonly token: OtslToken
  /** Trimmed; may be empty. */
  readonly text: string
}

export interface OtslPieces {
  /** What is written before the first token. Trimmed. */
  readonly preface: string
  readonly pieces: readonly OtslPiece[]
}

const tokenPattern = /<(fcel|ecel|lcel|ucel|xcel|nl)>/g
/** The beginning of a token at the end of an answer that was cut. */
const halfToken = /<(?:f(?:c(?:el?)?)?|e(?:c(?:el?)?)?|l(?:c(?:el?)?)?|u(?:c(?:el?)?)?|x(?:c(?:el?)?)?|nl?)?$/

/** Whether a text is written in OTSL at all. */
export const isOtsl = (text: string): boolean => text.search(tokenPattern) >= 0

/** Splits an answer at its tokens, in one walk. `cut`: it did not come to its end, which may be half a token. Other text in `<…>` is text. */
export function otslPieces(answer: string, cut: boolean): OtslPieces {
  const text = cut ? withoutHalfToken(answer) : answer
  const tokens = [...text.matchAll(tokenPattern)]
  const pieces = tokens.map((match, at) => ({
    token: match[1] as OtslToken,
    text: text.slice(match.index + match[0].length, tokens[at + 1]?.index).trim(),
  }))
  return { preface: text.slice(0, tokens[0]?.index).trim(), pieces }
}

/** A token has at most six characters: only that many of the end are looked at. */
function withoutHalfToken(text: string): string {
  const from = Math.max(0, text.length - 5)
  const found = text.slice(from).search(halfToken)
  return found < 0 ? text : text.slice(0, from + found)
}
