/** Longer than any formula in a cell; beyond, the opening delimiter stands for itself. */
const longest = 2_000
const tableTag = /<\/?t(?:able|head|body|foot|r|d|h)\b/i

/**
 * Makes `<` and `&` of inline formulas `\( … \)` safe to be read as HTML: models write `\( a<b \)` and `\( a & b \)` as they are. Brackets that
 * enclose tags of a table are no formula. Takes time in the length of the text.
 */
export function shieldMaths(html: string): string {
  let out = ''
  let done = 0
  let close = -1
  for (let open = html.indexOf('\\('); open !== -1; open = html.indexOf('\\(', open)) {
    if (close < open) close = html.indexOf('\\)', open)
    if (close === -1) break
    const formula = close - open > longest ? undefined : html.slice(open, close)
    open += 2
    if (formula === undefined || tableTag.test(formula)) continue
    out += html.slice(done, open - 2) + formula.replace(/&(?!(?:lt|gt|amp|quot|#\d{1,7});)/g, '&amp;').replaceAll('<', '&lt;')
    done = close
    open = close
  }
  return out + html.slice(done)
}
