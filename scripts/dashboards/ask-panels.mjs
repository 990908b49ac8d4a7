// What Prometheus answers to the queries of dashboards, as Grafana would ask them.

/** Windows and variables of Grafana filled in; of the variables everything is chosen. */
const filledIn = (expr, rateInterval) => expr.replaceAll('$__rate_interval', rateInterval).replace(/\$\{?\w+\}?/g, '.*')

async function get(url, path, parameters) {
  const response = await fetch(`${url}${path}?${new URLSearchParams(parameters)}`).catch((cause) => {
    throw new Error(`no Prometheus answers at ${url}`, { cause })
  })
  const { status, data, error } = await response.json()
  if (status !== 'success') throw new Error(error)
  return data
}

/** Series over the last `seconds`: `{ labels, points: [[s since 1970, value]] }`; values that are no number are left out. */
async function over(url, expr, seconds, end) {
  const step = Math.max(1, Math.round(seconds / 150))
  const { result } = await get(url, '/api/v1/query_range', { query: expr, start: end - seconds, end, step })
  return result
    .map(({ metric, values }) => ({ labels: metric, points: values.map(([at, value]) => [at, Number(value)]).filter(([, value]) => Number.isFinite(value)) }))
    .filter(({ points }) => points.length > 0)
}

/** Each panel of a dashboard with the series of its queries, or the error of one. */
export async function askPanels(url, dashboard, { seconds, rateInterval }) {
  const end = Math.floor(Date.now() / 1000)
  const answered = []
  for (const panel of dashboard.panels) {
    const queries = []
    for (const { expr, legendFormat } of panel.targets ?? []) {
      const asked = filledIn(expr, rateInterval)
      try {
        await get(url, '/api/v1/query', { query: asked })
        queries.push({ expr, legendFormat, series: await over(url, asked, seconds, end) })
      } catch (error) {
        queries.push({ expr, legendFormat, series: [], error: error.message })
      }
    }
    answered.push({ panel, queries })
  }
  return answered
}

/** Every rule with its state and how many series it gives at the moment. */
export async function askRules(url) {
  const { groups } = await get(url, '/api/v1/rules', {})
  const rules = []
  for (const { name, type, query, health, lastError } of groups.flatMap((group) => group.rules)) {
    const { result } = await get(url, '/api/v1/query', { query })
    rules.push({ name, type, query, health, lastError, series: result.length })
  }
  return rules
}

/** What the variables of dashboards may be chosen from: `label_values(series, label)`. */
export async function askVariables(url, dashboard) {
  const answered = {}
  for (const { name, query } of dashboard.templating.list) {
    const [, series, label] = /^label_values\((.*), (\w+)\)$/.exec(query.query ?? '') ?? []
    if (label) answered[name] = await get(url, `/api/v1/label/${label}/values`, { 'match[]': filledIn(series, '1m') })
  }
  return answered
}
