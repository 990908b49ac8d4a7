import { describe, expect, it } from 'vitest'
import { Counters } from '../../../src/telemetry/counters.ts'
import { expose } from '../../../src/telemetry/exposition.ts'
import { readMetricsText } from '../../../src/telemetry/metrics-text.ts'

describe('the text format of metrics', () => {
  it('is read with its labels, numbers of every form and times', () => {
    const text = '# HELP a b\n# TYPE a gauge\na 1\na{x="1",y="a\\"b\\\\c\\nd, e=\\"f\\""} -2.5e3\n\nb_bucket{le="+Inf"} +Inf 1700000000000\nc NaN\n'
    expect(readMetricsText(text)).toEqual([
      { name: 'a', labels: {}, value: 1 },
      { name: 'a', labels: { x: '1', y: 'a"b\\c\nd, e="f"' }, value: -2500 },
      { name: 'b_bucket', labels: { le: '+Inf' }, value: Number.POSITIVE_INFINITY },
      { name: 'c', labels: {}, value: Number.NaN },
    ])
  })

  it('is read as it is written here', async () => {
    const counters = new Counters()
    counters.publishSeconds.observe(0.2)
    const list = [
      { name: 'pagestream_x_seconds', type: 'histogram', unit: 'seconds', labels: [], help: 'x', read: () => [{ labels: {}, value: counters.publishSeconds }] },
    ] as const
    const samples = readMetricsText((await expose(list, undefined)).body)
    expect(samples.find(({ name }) => name.endsWith('_count'))).toMatchObject({ value: 1 })
  })

  it.each(['<html>', 'a', 'a one', 'a{x="1} 1', 'a{x=1} 1', 'a{x="1"y="2"} 1', 'a{x="1",x="2"} 1', 'a{x="\\t"} 1', '1a 1', 'a 1 2 3', 'a 0x10'])(
    'refuses %s',
    (line) => expect(() => readMetricsText(`b 1\n${line}\n`)).toThrow('reading metrics'),
  )

  it('refuses more than a worker tells, and is not held up by it', () => {
    expect(() => readMetricsText('a 1\n'.repeat(50_001))).toThrow('samples')
    expect(() => readMetricsText('a'.repeat(9 * 1024 ** 2))).toThrow('characters')
    const labels = Array.from({ length: 40 }, (_, i) => `l${i}="x"`).join(',')
    expect(() => readMetricsText(`a{${labels}} 1\n`)).toThrow('labels')
    const begun = performance.now()
    for (const hostile of ['a{', 'a{x="', 'a{x="\\', 'a{x="1",', '"', ' ']) expect(() => readMetricsText(`a ${hostile.repeat(500_000)}\n`)).toThrow()
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})
