/**
 * The longest beginning of `units` that is at least twice its own smallest period, which is at most `longestPeriod`. Given a text from its end to its
 * beginning, that is its longest repetitive end. By the prefix function of Knuth, Morris and Pratt ("Fast pattern matching in strings", 1977): a
 * beginning of length n has the smallest period n - border(n). Time in the length of `units`.
 */
export function repetitiveSuffix(units: Uint16Array, longestPeriod: number): { readonly length: number; readonly period: number } | undefined {
  const border = new Uint16Array(units.length + 1)
  let best: { length: number; period: number } | undefined
  for (let n = 2, at = 0; n <= units.length; n++) {
    const unit = units[n - 1]
    while (at > 0 && units[at] !== unit) at = border[at] as number
    if (units[at] === unit) at++
    border[n] = at
    const period = n - at
    if (period <= longestPeriod && n >= 2 * period) best = { length: n, period }
  }
  return best
}
