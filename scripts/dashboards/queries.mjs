// Expressions that panels share. `by` is a list of labels, `where` the matchers of the place.

/** @param {number} q quantile of a histogram, of what came within the interval */
export const quantile = (q, metric, where, by = []) =>
  `histogram_quantile(${q}, sum by (${[...by, 'le'].join(', ')}) (rate(${metric}_bucket{${where}}[$__rate_interval])))`

export const rate = (metric, where, by) => `sum by (${by.join(', ')}) (rate(${metric}{${where}}[$__rate_interval]))`

/** Of a histogram: the mean of what came within the interval. */
export const mean = (metric, where, by) => `${rate(`${metric}_sum`, where, by)} / ${rate(`${metric}_count`, where, by)}`

export const sum = (metric, where, by) => `sum by (${by.join(', ')}) (${metric}{${where}})`

/** Half of the values, and nineteen of twenty, by the same labels. */
export const spread = (metric, where, by, legend) => [
  [`${legend} half within`.trim(), quantile(0.5, metric, where, by)],
  [`${legend} 95 % within`.trim(), quantile(0.95, metric, where, by)],
]
