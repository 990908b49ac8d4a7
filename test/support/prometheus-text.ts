export interface ParsedMetric {
  readonly type: string
  readonly help: string
  readonly samples: { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
}

const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([^ ]+)$/
const labelPair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gy

/** Parses the text format of Prometheus strictly: a sample before its type, a line or label that is none and a sample that comes twice all throw. */
export function parsePrometheusText(text: string): Map<string, ParsedMetric> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const found = new Map<string, ParsedMetric>()
  const seen = new Set<string>()
  let help = ''
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue
    if (line.startsWith('# HELP ')) help = line.slice(line.indexOf(' ', 7) + 1)
    else if (line.startsWith('# TYPE ')) {
      const [, , name = '', type = ''] = line.split(' ')
      if (found.has(name)) throw new Error(`${name} is declared twice`)
      found.set(name, { type, help, samples: [] })
    } else {
      const [, name = '', labels = '', value = ''] = sampleLine.exec(line) ?? []
      const metric = found.get(name) ?? found.get(name.replace(/_(?:bucket|sum|count)$/, ''))
      if (!metric) throw new Error(`no sample of a declared metric: ${line}`)
      if (seen.has(`${name}{${labels}}`)) throw new Error(`it comes twice: ${line}`)
      seen.add(`${name}{${labels}}`)
      if (!Number.isFinite(Number(value))) throw new Error(`no number: ${line}`)
      metric.samples.push({ name, labels: parseLabels(labels), value: Number(value) })
    }
  }
  return found
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  labelPair.lastIndex = 0
  while (labelPair.lastIndex < text.length) {
    const [, name = '', value = ''] = labelPair.exec(text) ?? []
    if (name === '') throw new Error(`no labels: ${text}`)
    labels[name] = value
  }
  return labels
}
