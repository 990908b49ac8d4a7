/** A formula within text, with its delimiters. Positions are of UTF-16 units. */
export interface FormulaSpan {
  readonly start: number
  /** After the closing delimiter. */
  readonly end: number
  /** `\[ … \]` rather than `\( … \)`. */
  readonly display: boolean
}

/**
 * The formulas of a text between `\(` and the next `\)`, or `\[` and the next `\]`, from left to right, none within another. A delimiter without a partner
 * opens nothing. One walk, however many there are.
 */
export function formulaSpans(text: string): FormulaSpan[] {
  const marks = [...text.matchAll(/\\[()[\]]/g)]
  const closings = nextClosings(marks.map((mark) => mark[0]))
  const spans: FormulaSpan[] = []
  let after = 0
  marks.forEach((mark, at) => {
    const display = mark[0] === '\\['
    if (mark.index < after || (!display && mark[0] !== '\\(')) return
    const closing = marks[closings[at] ?? -1]
    if (!closing) return
    after = closing.index + 2
    spans.push({ start: mark.index, end: after, display })
  })
  return spans
}

/** For each opening mark, which later mark closes it. */
function nextClosings(marks: readonly string[]): (number | undefined)[] {
  const closings: (number | undefined)[] = new Array(marks.length)
  let [inline, display]: (number | undefined)[] = [undefined, undefined]
  for (let at = marks.length - 1; at >= 0; at--) {
    if (marks[at] === '\\)') inline = at
    else if (marks[at] === '\\]') display = at
    else closings[at] = marks[at] === '\\(' ? inline : display
  }
  return closings
}

/** Rewrites each formula of a text and leaves the rest alone. `rewrite` is given what stands between the delimiters and gives what stands for the whole. */
export function mapFormulas(text: string, rewrite: (inner: string, display: boolean) => string): string {
  let [out, from] = ['', 0]
  for (const { start, end, display } of formulaSpans(text)) {
    out += text.slice(from, start) + rewrite(text.slice(start + 2, end - 2), display)
    from = end
  }
  return out + text.slice(from)
}
