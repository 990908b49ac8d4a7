import type { EngineLoad } from '../../engine.ts'
import type { LoadNames, MetricPart } from './load-names.ts'

/** One line of the Prometheus text format. */
interface Sample {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
}

const longestLine = 4096
/** A name, and whether labels follow. */
const namePattern = /^([a-zA-Z_:][a-zA-Z0-9_:]*)\s*(\{)?/
const labelPattern = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?/y

/** The labels that begin at `from`, and where they end; undefined for a line that is not closed. */
function labelsAt(line: string, from: number): { labels: Map<string, string>; end: number } | undefined {
  const labels = new Map<string, string>()
  labelPattern.lastIndex = from
  let end = from
  for (let match = labelPattern.exec(line); match !== null; match = labelPattern.exec(line)) {
    labels.set(match[1] ?? '', match[2] ?? '')
    end = labelPattern.lastIndex
  }
  return line[end] === '}' ? { labels, end: end + 1 } : undefined
}

function sampleOf(line: string): Sample | undefined {
  if (line.length > longestLine) return undefined
  const head = namePattern.exec(line)
  if (head?.[1] === undefined) return undefined
  const labelled = head[2] === undefined ? { labels: new Map<string, string>(), end: head[0].length } : labelsAt(line, head[0].length)
  if (labelled === undefined) return undefined
  const value = Number.parseFloat(line.slice(labelled.end))
  return Number.isFinite(value) ? { name: head[1], labels: labelled.labels, value } : undefined
}

const withoutTotal = (name: string): string => (name.endsWith('_total') ? name.slice(0, -'_total'.length) : name)

const isOf = (sample: Sample, { name, labels }: MetricPart): boolean =>
  withoutTotal(sample.name) === withoutTotal(name) && Object.entries(labels ?? {}).every(([label, value]) => sample.labels.get(label) === value)

/** Undefined where no sample is of the metric: absent is not 0. */
function sumOf(samples: readonly Sample[], part: MetricPart): number | undefined {
  const values = samples.filter((sample) => isOf(sample, part)).map(({ value }) => value)
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0)
}

function sumOfParts(samples: readonly Sample[], parts: readonly MetricPart[]): number | undefined {
  const sums = parts.map((part) => sumOf(samples, part)).filter((sum) => sum !== undefined)
  return sums.length === 0 ? undefined : sums.reduce((total, sum) => total + sum, 0)
}

/** What a page of metrics (Prometheus text format) says of a server's load; undefined where one of the two figures is not there. */
export function readLoad(text: string, names: LoadNames): EngineLoad | undefined {
  const prefix = names.running.slice(0, names.running.indexOf(':') + 1)
  const samples = text
    .split('\n')
    .filter((line) => line.startsWith(prefix))
    .map((line) => sampleOf(line))
    .filter((sample) => sample !== undefined)
  const running = sumOf(samples, { name: names.running })
  const waiting = names.waiting.map((parts) => sumOfParts(samples, parts)).find((sum) => sum !== undefined)
  return running === undefined || waiting === undefined ? undefined : { running, waiting }
}
