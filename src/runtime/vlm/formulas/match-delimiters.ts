/** A delimiter after `\left` or `\right`: a command, an escaped brace or bar, or one character that is no letter. */
const delimiter = String.raw`\s*(?:\\(?:[a-zA-Z]+|[{}|])|[^\sa-zA-Z\\])`
/** What decides the structure. A backslash takes the character after it along, so that `\&` separates nothing. */
const structure = new RegExp(String.raw`\\left${delimiter}|\\right${delimiter}|\\(?:begin|end)\{[a-zA-Z]{1,32}\*?\}|\\[\s\S]|&`, 'g')

/**
 * Gives each `\left(` of a formula that nothing closes an empty `\right.` at once, and each `\right)` that nothing opens a `\left.` before it. A pair lies
 * within one cell of an array or another environment. A formula is left alone where as many are opened as closed, or where an environment is not closed.
 */
export function matchDelimiters(latex: string): string {
  const marks = [...latex.matchAll(structure)]
  const count = (command: string): number => marks.filter(([mark]) => mark.startsWith(command)).length
  if (count('\\left') === count('\\right')) return latex
  const lonely = lonelyMarks(marks.map(([mark]) => mark))
  if (!lonely) return latex
  let [out, from] = ['', 0]
  for (const at of lonely) {
    const mark = marks[at]
    if (!mark) continue
    const end = mark.index + mark[0].length
    out += latex.slice(from, mark.index) + (mark[0].startsWith('\\left') ? `${mark[0]} \\right.` : `\\left. ${mark[0]}`)
    from = end
  }
  return out + latex.slice(from)
}

/** Those without a partner in their cell, in order; undefined where environments do not nest. */
function lonelyMarks(marks: readonly string[]): number[] | undefined {
  const outer: number[][] = []
  const lonely: number[] = []
  let open: number[] = []
  for (const [at, mark] of marks.entries()) {
    if (mark.startsWith('\\left')) open.push(at)
    else if (mark.startsWith('\\right')) {
      if (open.pop() === undefined) lonely.push(at)
    } else if (mark === '&' || mark === '\\\\') {
      for (const left of open) lonely.push(left)
      open = []
    } else if (mark.startsWith('\\begin{')) {
      outer.push(open)
      open = []
    } else if (mark.startsWith('\\end{')) {
      for (const left of open) lonely.push(left)
      const around = outer.pop()
      if (!around) return undefined
      open = around
    }
  }
  for (const left of open) lonely.push(left)
  return outer.length > 0 ? undefined : lonely.sort((a, b) => a - b)
}
