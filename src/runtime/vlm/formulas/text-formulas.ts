import { formulaSpans } from './formula-spans.ts'
import { inlineFormulas } from './inline-formulas.ts'

/** Characters of a formula within text. */
const longestFormula = 1_000
const dollars = /\\\$|\$\$?/g
const latexSign = /[\\^_{}]/

/** Text whose formulas are between dollars or brackets, with all of them as `\( … \)`. Dollars that are money stay. */
export function textFormulas(text: string): string {
  let [out, from] = ['', 0]
  for (const { start, end } of formulaSpans(text)) {
    out += dollarFormulas(text.slice(from, start)) + inlineFormulas(text.slice(start, end))
    from = end
  }
  return out + dollarFormulas(text.slice(from))
}

/**
 * What stands between two dollars is a formula if it has a sign of LaTeX, or if the dollars cling to it and no digit follows: the rule of Pandoc.
 * An escaped dollar is a dollar.
 */
function dollarFormulas(text: string): string {
  let out = ''
  let from = 0
  let open: RegExpExecArray | undefined
  for (const mark of text.matchAll(dollars)) {
    if (mark[0] === '\\$') continue
    const inner = open === undefined ? undefined : formulaBetween(text, open.index + open[0].length, mark.index, mark.index + mark[0].length)
    if (open === undefined || inner === undefined) {
      open = mark
      continue
    }
    out += plain(text.slice(from, open.index)) + (inner === '' ? '' : `\\( ${inner} \\)`)
    from = mark.index + mark[0].length
    open = undefined
  }
  return out + plain(text.slice(from))
}

const plain = (text: string): string => text.replaceAll('\\$', '$')

function formulaBetween(text: string, start: number, end: number, after: number): string | undefined {
  if (end - start > longestFormula) return undefined
  const written = text.slice(start, end)
  const latex = written.trim()
  if (written.includes('\n\n')) return undefined
  if (latexSign.test(latex)) return latex
  const clings = latex !== '' && latex.length === written.length
  return clings && !/\d/.test(text[after] ?? '') ? latex : undefined
}
