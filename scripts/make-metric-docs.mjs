// Writes docs/metrics.md from the list of metrics: one row a metric. `--check` only compares.
import { runMetrics } from '../dist/telemetry/metrics/run-metrics.js'
import { workerMetrics } from '../dist/telemetry/metrics/worker-metrics.js'
import { writeGenerated } from './generated-file.mjs'

const table = (metrics) => [
  '| metric | type | unit | labels | meaning |',
  '| --- | --- | --- | --- | --- |',
  ...metrics.map(
    ({ name, type, unit, labels, help }) =>
      `| \`${name}\` | ${type} | ${unit === 'none' ? '–' : unit} | ${labels.map((label) => `\`${label}\``).join(', ') || '–'} | ${help} |`,
  ),
  '',
]

const lines = [
  '# Metrics',
  '',
  'What `pagestream worker --port N` (`worker.port`) serves under `/metrics`: OpenMetrics with trace ids as exemplars for who accepts that, as Prometheus does,',
  'and its plain text format for all others. Labels come from closed lists: no document, run or address is ever one. Counters begin at 0 with the process.',
  '`lane` is `live` or `bulk`, `stage` one of the five.',
  '',
  '| path | answers |',
  '| --- | --- |',
  '| `/live` | 200 while the worker gets on; 503 when a stage has had pages in hand and finished none for `worker.stallMs`, when it also ends by itself |',
  '| `/startup` | 200 once its groups are joined |',
  '| `/ready` | 200 while its groups are joined, it is not told to stop and no stage has stopped taking in; one that waits for an engine is ready, and named |',
  '| `/metrics` | the metrics below |',
  '| `/status` | JSON ([schema](schema/worker-status.json)): stages and lanes with their partitions, windows, lag, rates and circuit breaker; models, engine, device, version; last error |',
  '',
  '<!-- Generated from src/telemetry/metrics/worker-metrics.ts by scripts/make-metric-docs.mjs. -->',
  '',
  ...table(workerMetrics),
  'A worker tells the lag of its own partitions: the sum over all workers is that of the group. `pagestream status` tells also that of partitions that no',
  'worker has, and so does any exporter of Kafka (groups are called `<kafka.groupPrefix>.<stage>.<lane>`).',
  '',
  '## Of a backfill',
  '',
  '`pagestream backfill run --port N` answers `/live`, `/metrics` and `/status` (JSON: what `backfill status --json` prints). One process works on one run.',
  '',
  ...table(runMetrics),
]
writeGenerated('docs/metrics.md', lines.join('\n'))
