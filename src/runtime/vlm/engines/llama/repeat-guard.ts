/** No run of so many tokens twice. */
export interface RepeatRule {
  readonly tokens: number
  /** Only runs that begin within the last so many written tokens count; all of them where undefined. */
  readonly window?: number
}

/**
 * Tokens that would end a run of `rule.tokens` that was written before: what followed each earlier copy of the last `tokens - 1` ones.
 * This is the guard that the makers of the models generate with. The last token is compared first, so that most places cost one comparison.
 */
export function bannedTokens(written: readonly number[], rule: RepeatRule): number[] {
  const tail = rule.tokens - 1
  const { length } = written
  const first = Math.max(0, rule.window === undefined ? 0 : length - rule.window)
  const banned: number[] = []
  for (let start = first; start + tail < length; start++) {
    if (endsAlike(written, start + tail, length, tail)) banned.push(written[start + tail] as number)
  }
  return banned
}

/** Whether the `count` tokens before `a` are those before `b`. */
function endsAlike(written: readonly number[], a: number, b: number, count: number): boolean {
  for (let i = 1; i <= count; i++) if (written[a - i] !== written[b - i]) return false
  return true
}
