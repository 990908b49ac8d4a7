import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ruleFiles, rules, unknownIn } from '../../support/grafana-files.ts'
import { promtool, promtoolMissing } from '../../support/promtool.ts'

const recorded = ['alerts.yaml', 'slow-alerts.yaml'].map((name) => join(dirname(fileURLToPath(import.meta.url)), name))
const needs = promtoolMissing ? ` (needs ${promtoolMissing})` : ''
const alerts = rules.filter(({ alert }) => alert !== undefined)

interface RecordedTests {
  readonly tests: readonly { readonly promql_expr_test: readonly { readonly expr: string; readonly exp_samples: readonly unknown[] }[] }[]
}

describe('the rules', () => {
  it('ask for what workers, backfills and other rules give, by labels that it has', () => {
    expect(rules.map(({ record, alert, expr }) => [record ?? alert, unknownIn(expr)]).filter(([, unknown]) => unknown?.length)).toEqual([])
  })

  it('keep installations apart in all that they record', () => {
    for (const { record = '', expr } of rules) {
      for (const [, labels = ''] of record === '' ? [] : expr.matchAll(/by \(([^)]*)\)/g)) expect(labels, record).toMatch(/^cluster, namespace, job\b/)
    }
  })

  it('say of each alert how bad it is, what is wrong and where to read on', () => {
    expect(alerts.length).toBeGreaterThan(0)
    for (const { alert, labels, annotations = {} } of alerts) {
      expect(alert).toMatch(/^Pagestream[A-Z]\w+$/)
      expect(['critical', 'warning'], alert).toContain(labels?.severity)
      expect(Object.keys(annotations).sort(), alert).toEqual(['description', 'runbook_url', 'summary'])
      expect(annotations.description, alert).toMatch(/\.$/)
    }
  })

  it('has recorded series for each alert on which it fires, and such on which it does not', () => {
    const asked = recorded
      .flatMap((file) => (parse(readFileSync(file, 'utf8')) as RecordedTests).tests.flatMap((test) => test.promql_expr_test))
      .map(({ expr, exp_samples }) => `${expr} ${exp_samples.length > 0}`)
    for (const { alert, labels } of alerts) {
      const firing = `count(ALERTS{alertname="${alert}", severity="${labels?.severity}", alertstate="firing"})`
      expect(asked).toContain(`${firing} true`)
      expect(asked).toContain(`${firing} false`)
    }
  })

  it.skipIf(promtoolMissing)(`are rules as Prometheus takes them${needs}`, () => {
    expect(promtool('check', 'rules', ...ruleFiles)).toMatchObject({ ok: true })
  })

  it.skipIf(promtoolMissing)(`do with recorded series what is expected of them${needs}`, { timeout: 180_000 }, () => {
    expect(promtool('test', 'rules', ...recorded)).toMatchObject({ ok: true })
  })
})
