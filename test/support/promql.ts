interface Matcher {
  readonly label: string
  readonly value: string
}

/** A series of ours that an expression asks for. */
export interface Selector {
  readonly name: string
  readonly matchers: readonly Matcher[]
}

const selector = /\b((?:pagestream[_:][\w:]+)|ALERTS|up)\b(?!\s*\()(?:\{([^}]*)\})?/g
const matcher = /(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g
const grouping = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g

/** What an expression of PromQL asks for: names of ours and of Prometheus itself, with their matchers. Not a parser: promtool is. */
export const selectorsOf = (expr: string): Selector[] =>
  [...expr.replaceAll(grouping, '').matchAll(selector)].map(([, name = '', matchers = '']) => ({
    name,
    matchers: [...matchers.matchAll(matcher)].map(([, label = '', value = '']) => ({ label, value })),
  }))

/** Labels by which an expression groups or joins. */
export const groupedBy = (expr: string): string[] =>
  [...expr.matchAll(grouping)].flatMap(([, labels = '']) => labels.split(',').map((label) => label.trim())).filter(Boolean)

const windows: Readonly<Record<string, string>> = { __rate_interval: '5m', __interval: '1m', __range: '1h' }

/** Variables of Grafana filled in: its windows, and everything for all others, as "All" is. */
export const filledIn = (expr: string, rateInterval = '5m'): string =>
  expr.replace(/\$\{?(\w+)\}?/g, (_, name: string) => (name === '__rate_interval' ? rateInterval : (windows[name] ?? '.*')))

/** Names of the variables that an expression uses, those of Grafana left out. */
export const variablesOf = (text: string): string[] => [...text.matchAll(/\$\{?(\w+)\}?/g)].map(([, name = '']) => name).filter((name) => !(name in windows))
