// Answers of panels as a page: lines and areas as SVG, figures, tables; no script, nothing from elsewhere.

const colours = ['#4472c4', '#e07b39', '#3f9b57', '#c0504d', '#7d5fb2', '#2a9d9d', '#b58900', '#8c6d5a', '#d05a9b', '#5c6b7a']
/** Pixels; a panel of so many columns is drawn as wide as it is shown. */
const [column, margin, high, left, bottom] = [51, 26, 150, 52, 16]
const mostSeries = 12

const escaped = (text) => `${text}`.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const nameOf = (legend, labels) =>
  legend
    .replace(/\{\{(\w+)\}\}/g, (_, label) => labels[label] ?? '')
    .replace(/\s+/g, ' ')
    .trim()

const shortened = (value) => {
  const size = Math.abs(value)
  if (size >= 1e9) return `${(value / 1e9).toPrecision(3)} G`
  if (size >= 1e6) return `${(value / 1e6).toPrecision(3)} M`
  if (size >= 1e4) return `${(value / 1e3).toPrecision(3)} k`
  return `${Number(value.toPrecision(3))}`
}

/** A value as Grafana would write it in the unit, roughly. */
function written(value, unit) {
  if (unit === 'percentunit') return `${Number((100 * value).toPrecision(3))} %`
  if (unit === 'bytes') return `${shortened(value)}B`
  if (unit === 's' || unit === 'dtdurations')
    return value >= 120
      ? `${Number((value / 60).toPrecision(3))} min`
      : value < 1
        ? `${Number((1000 * value).toPrecision(3))} ms`
        : `${Number(value.toPrecision(3))} s`
  return `${shortened(value)}${unit.startsWith('suffix: ') ? ` ${unit.slice(8)}` : ''}`
}

/** The highest first. */
const seriesOf = (queries) =>
  queries
    .flatMap(({ legendFormat, series }) =>
      series.map(({ labels, points }) => ({ name: nameOf(legendFormat, labels), points, top: Math.max(...points.map(([, value]) => value)) })),
    )
    .sort((one, other) => other.top - one.top)

/** One area above the other, at the times that any of them has. */
function stacked(series) {
  const below = new Map()
  return series.map((each) => {
    const points = each.points.map(([at, value]) => {
      const from = below.get(at) ?? 0
      below.set(at, from + value)
      return [at, from + value, from]
    })
    return { ...each, points }
  })
}

function lines(panel, queries) {
  const wide = column * panel.gridPos.w - margin
  const all = seriesOf(queries)
  const isStacked = panel.fieldConfig.defaults.custom?.stacking?.mode === 'normal'
  const series = (isStacked ? stacked(all) : all).slice(0, mostSeries)
  const points = series.flatMap((each) => each.points)
  const [first, last] = [Math.min(...points.map(([at]) => at)), Math.max(...points.map(([at]) => at))]
  const top = Math.max(...points.map(([, value]) => value), 0) * 1.1 || 1
  const x = (at) => (left + ((wide - left - 4) * (at - first)) / Math.max(1, last - first)).toFixed(1)
  const y = (value) => (4 + (high - bottom - 4) * (1 - value / top)).toFixed(1)
  const drawn = series.map(({ points: own }, i) => {
    const colour = colours[i % colours.length]
    const line = `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${own.map(([at, value]) => `${x(at)},${y(value)}`).join(' ')}"/>`
    if (!isStacked) return line
    const back = [...own].reverse().map(([at, , from]) => `${x(at)},${y(from)}`)
    return `<polygon fill="${colour}" fill-opacity="0.35" points="${own.map(([at, value]) => `${x(at)},${y(value)}`).join(' ')} ${back.join(' ')}"/>${line}`
  })
  const { unit } = panel.fieldConfig.defaults
  const marks = [0, top / 2, top].map(
    (value) =>
      `<line x1="${left}" x2="${wide - 4}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/><text x="${left - 4}" y="${Number(y(value)) + 4}" text-anchor="end">${escaped(written(value, unit).replace(/ [a-z]+\/\w+$| (?:pages|records|documents|entries|tokens|partitions|letters)$/, ''))}</text>`,
  )
  const clock = (at) => new Date(at * 1000).toISOString().slice(11, 19)
  const times = `<text x="${left}" y="${high - 2}">${clock(first)}</text><text x="${wide - 4}" y="${high - 2}" text-anchor="end">${clock(last)}</text>`
  const legend = series.map(({ name }, i) => `<span><i style="background:${colours[i % colours.length]}"></i>${escaped(name)}</span>`).join('')
  return `<svg viewBox="0 0 ${wide} ${high}">${marks.join('')}${drawn.join('')}${times}</svg><p class="legend">${legend}${all.length > series.length ? ` and ${all.length - series.length} more` : ''}</p>`
}

function figure(panel, queries) {
  const { unit } = panel.fieldConfig.defaults
  const values = seriesOf(queries).map(({ name, points }) => ({ name, value: points.at(-1)[1] }))
  if (panel.options.textMode === 'name') return values.map(({ name }) => `<p class="figure">${escaped(name)}</p>`).join('')
  return values.map(({ name, value }) => `<p class="figure">${escaped(written(value, unit))}<small>${escaped(name)}</small></p>`).join('')
}

function table(queries) {
  const rows = queries.flatMap(({ series }) => series.map(({ labels, points }) => [...Object.values(labels), points.at(-1)[1]]))
  const heads = [...Object.keys(queries.flatMap(({ series }) => series)[0]?.labels ?? {}), 'value']
  const row = (cells, tag) => `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  return `<table>${row(heads, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`
}

function content({ panel, queries }) {
  const errors = queries.filter(({ error }) => error).map(({ error }) => error)
  if (errors.length > 0) return `<p class="none">${escaped(errors.join('; '))}</p>`
  if (queries.every(({ series }) => series.length === 0)) return '<p class="none">nothing</p>'
  if (panel.type === 'stat') return figure(panel, queries)
  return panel.type === 'table' ? table(queries) : lines(panel, queries)
}

const drawPanel = ({ panel, queries }) =>
  panel.type === 'row'
    ? `<h2>${escaped(panel.title)}</h2>`
    : `<section style="grid-column: span ${panel.gridPos.w}"><h3 title="${escaped(panel.description)}">${escaped(panel.title)}</h3>${content({ panel, queries })}</section>`

const style = `body{font:13px/1.4 system-ui,sans-serif;margin:16px;background:#f4f5f7;color:#222;width:1240px}h1{font-size:18px;margin:8px 0}article{display:grid;
grid-template-columns:repeat(24,1fr);gap:8px;margin-bottom:24px}h2{grid-column:span 24;font-size:14px;margin:8px 0 0}section{background:#fff;border:1px solid
#dcdfe4;border-radius:3px;padding:8px;min-width:0;overflow:hidden}h3{font-size:12.5px;margin:0 0 4px}svg{width:100%;font-size:10px;fill:#555}.legend{margin:2px 0;
font-size:10.5px}.legend span{margin-right:10px;white-space:nowrap}.legend i{display:inline-block;width:9px;height:9px;margin-right:4px}.figure{font-size:22px;
margin:6px 0}.figure small{font-size:10px;color:#666;margin-left:8px}.none{color:#888}table{border-collapse:collapse;font-size:11px}th,td{text-align:left;
padding:2px 10px 2px 0;border-bottom:1px solid #e6e8eb}`

/** @param {readonly {dashboard: object, panels: readonly object[]}[]} answered */
export function drawPage(answered) {
  const articles = answered.map(
    ({ dashboard, panels }) => `<h1>${escaped(dashboard.title)}</h1><article id="${dashboard.uid}">${panels.map(drawPanel).join('')}</article>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>pagestream dashboards</title><style>${style}</style><body>${articles.join('')}</body></html>`
}
