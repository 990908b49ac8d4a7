import { formulaSpans } from './formula-spans.ts'

/** Of delimiters that enclose the whole; longer ones first. */
const pairs = [
  ['\\[', '\\]'],
  ['\\(', '\\)'],
  ['$$', '$$'],
  ['$', '$'],
] as const
const dollarPair = /\$\$([^$]+)\$\$/g
/** What a formula is enclosed in, at most: `$$ \[ … \] $$`. */
const mostLayers = 2

/** A number set apart at the end of a formula, not an argument of a function. */
const numberAtEnd = /(?:\\q?quad|\\hfill|\\hspace\s?\{[^{}]{0,20}\}|~)(?:\s|~|\\[,;:!])*\((\d{1,4}(?:[.\-–]\d{1,4}){0,3}[a-z]?)\)$/u
/** Characters in which a number and the space before it are looked for. */
const longestEnd = 80
const numberAlone = /^\((\d{1,4}(?:[.\-–]\d{1,4}){0,3}[a-z]?)\)$/u

/**
 * The LaTeX of a formula that stands by itself, without delimiters. Several formulas in one answer become lines of one; a number behind the formula
 * becomes its `\tag`.
 */
export function displayFormula(answer: string): string {
  const text = answer.trim().replace(dollarPair, '\\[$1\\]')
  const spans = formulaSpans(text)
  const between = spans.map(({ start }, at) => text.slice(spans[at - 1]?.end ?? 0, start).trim()).join('')
  const behind = text.slice(spans.at(-1)?.end ?? 0).trim()
  const number = numberAlone.exec(behind)?.[1]
  if (spans.length === 0 || between !== '' || (behind !== '' && number === undefined)) return tagged(unwrapped(text))
  const lines = spans.map(({ start, end }) => text.slice(start + 2, end - 2).trim()).filter((line) => line !== '')
  const latex = lines.length > 1 ? `\\begin{gathered} ${lines.join(' \\\\ ')} \\end{gathered}` : unwrapped(lines[0] ?? '')
  return number === undefined ? tagged(latex) : `${latex} \\tag{${number}}`
}

function unwrapped(text: string): string {
  let latex = text.trim()
  for (let layer = 0; layer < mostLayers; layer++) {
    // An answer that was cut has no end of it.
    const pair = pairs.find(([open, close]) => latex.startsWith(open) || latex.endsWith(close))
    if (pair === undefined) break
    const [open, close] = pair
    if (latex.startsWith(open)) latex = latex.slice(open.length)
    if (latex.endsWith(close)) latex = latex.slice(0, -close.length)
    latex = latex.trim()
  }
  return latex
}

function tagged(latex: string): string {
  const from = Math.max(0, latex.length - longestEnd)
  const match = latex.includes('\\tag') ? null : numberAtEnd.exec(latex.slice(from))
  return match === null ? latex : `${latex.slice(0, from + match.index).trim()} \\tag{${match[1]}}`
}
