/** Beyond these an answer is none of a worker of ours: about 1,500 samples in 150 kB. */
export const mostTextBytes = 8 * 1024 ** 2
const mostSamples = 50_000
const mostLabels = 32

/** A value as it was told, under the name of its sample (`…_sum`, `…_count`). */
export interface ToldSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const sampleForm = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)(?: -?\d+)?$/
const labelForm = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\"n])*)"(?:,|$)/y
const numberForm = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?Inf|NaN)$/

/**
 * Reads the text format of Prometheus, version 0.0.4, strictly: a line that is neither a comment nor a sample throws, and so does more than a worker ever
 * tells. Source of the format: Prometheus, "Exposition formats".
 */
export function readMetricsText(text: string): ToldSample[] {
  if (text.length > mostTextBytes) throw new Error(`reading metrics: more than ${mostTextBytes} characters`)
  const samples: ToldSample[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    if (samples.length >= mostSamples) throw new Error(`reading metrics: more than ${mostSamples} samples`)
    samples.push(sampleOf(line))
  }
  return samples
}

function sampleOf(line: string): ToldSample {
  const [, name, labels = '', value = ''] = sampleForm.exec(line) ?? []
  if (name === undefined || !numberForm.test(value)) throw new Error('reading metrics: a line is no sample')
  return { name, labels: labelsOf(labels), value: numberOf(value) }
}

const numberOf = (text: string): number => (text.endsWith('Inf') ? Number(text.replace('Inf', 'Infinity')) : Number(text))

function labelsOf(text: string): Readonly<Record<string, string>> {
  const labels = new Map<string, string>()
  labelForm.lastIndex = 0
  for (let at = 0; at < text.length; at = labelForm.lastIndex) {
    const [, name, value = ''] = labelForm.exec(text) ?? []
    if (name === undefined || labels.has(name) || labels.size >= mostLabels) throw new Error('reading metrics: a line has no such labels')
    labels.set(
      name,
      value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character)),
    )
  }
  return Object.fromEntries(labels)
}
