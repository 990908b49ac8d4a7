import type { Distribution } from '../distribution.ts'

export type MetricLabel =
  | 'stage'
  | 'lane'
  | 'outcome'
  | 'reason'
  | 'phase'
  | 'class'
  | 'verdict'
  | 'status'
  | 'state'
  | 'kind'
  | 'source'
  | 'operation'
  | 'device'
  | 'name'
  | 'driver'
  | 'finish'
  | 'code'
  | 'model'
  | 'engine'
  | 'family'
  | 'task'
  | 'version'
  | 'node'

/** A metric as it is documented. Labels come from closed lists or from the machine and its configuration, never from documents. */
export interface MetricSpec {
  readonly name: `pagestream_${string}`
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly unit: 'pages' | 'windows' | 'documents' | 'records' | 'blocks' | 'words' | 'seconds' | 'bytes' | 'partitions' | 'tokens' | 'ratio' | 'none'
  readonly labels: readonly MetricLabel[]
  /** One sentence for people. */
  readonly help: string
}

/** A value of the moment; of a histogram, how its values are spread. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number | Distribution
}

/** A metric and how it is read from what it measures. */
export interface Metric<Source> extends MetricSpec {
  read(source: Source): Iterable<Sample>
}

type Values = Readonly<Record<string, number>>

/** One sample for each entry, told apart by the label. */
export const byLabel = (label: MetricLabel, values: Values): Sample[] => Object.entries(values).map(([key, value]) => ({ labels: { [label]: key }, value }))

/** A single sample without labels. */
export const single = (value: number): Sample[] => [{ labels: {}, value }]
