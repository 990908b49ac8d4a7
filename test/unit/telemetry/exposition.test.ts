import { describe, expect, it } from 'vitest'
import { Distribution } from '../../../src/telemetry/distribution.ts'
import { expose } from '../../../src/telemetry/exposition.ts'
import type { Metric } from '../../../src/telemetry/metrics/metric.ts'
import { parsePrometheusText } from '../../support/prometheus-text.ts'

const spread = new Distribution('pages')
spread.observe(1)
spread.observe(3, '0af7651916cd43dd8448eb211c80319c')
spread.observe(5000)

const metrics: readonly Metric<number>[] = [
  { name: 'pagestream_things_total', type: 'counter', unit: 'none', labels: ['lane'], help: 'Things.', read: (value) => [{ labels: { lane: 'live' }, value }] },
  {
    name: 'pagestream_sizes',
    type: 'histogram',
    unit: 'pages',
    labels: ['stage'],
    help: 'Sizes.',
    read: () => [{ labels: { stage: 'layout' }, value: spread }],
  },
]

describe('the exposition', () => {
  it('writes the plain text format, buckets cumulative and without exemplars', async () => {
    const { contentType, body } = await expose(metrics, 4, 'text/plain')
    expect(contentType).toContain('text/plain')
    expect(body).not.toContain('trace_id')
    const found = parsePrometheusText(body)
    expect(found.get('pagestream_things_total')?.samples).toMatchObject([{ labels: { lane: 'live' }, value: 4 }])
    const buckets = found.get('pagestream_sizes')?.samples.filter(({ name }) => name.endsWith('_bucket')) ?? []
    expect(buckets.map(({ labels, value }) => [labels.le, value])).toEqual([
      ...[
        ['1.0', 1],
        ['2.0', 1],
        ['4.0', 2],
        ['8.0', 2],
        ['16.0', 2],
        ['32.0', 2],
        ['64.0', 2],
        ['128.0', 2],
        ['256.0', 2],
      ],
      ['+Inf', 3],
    ])
    expect(body).toContain('pagestream_sizes_sum{stage="layout"} 5004\n')
    expect(body).toContain('pagestream_sizes_count{stage="layout"} 3\n')
  })

  it('writes OpenMetrics with trace ids for who accepts it, under the same names', async () => {
    const { contentType, body } = await expose(metrics, 4, 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5')
    expect(contentType).toContain('application/openmetrics-text')
    expect(body).toContain('# TYPE pagestream_things counter\npagestream_things_total{lane="live"} 4\n')
    expect(body).toMatch(/pagestream_sizes_bucket\{stage="layout",le="4\.0"\} 2 # \{trace_id="0af7651916cd43dd8448eb211c80319c"\} 3 \d+(\.\d+)?\n/)
    expect(body.endsWith('# EOF\n')).toBe(true)
  })
})
