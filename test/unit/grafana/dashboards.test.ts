import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dashboards, panelQueries, unknownIn } from '../../support/grafana-files.ts'
import { filledIn, variablesOf } from '../../support/promql.ts'
import { promtool, promtoolMissing } from '../../support/promtool.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const units = /^(?:s|short|bytes|percentunit|dtdurations|suffix: [\w/]+)$/

describe('the dashboards', () => {
  it('are six, each with an address of its own and the same choices', () => {
    expect(dashboards.map(({ file }) => file)).toEqual(['backfill.json', 'gpu.json', 'kafka.json', 'overview.json', 'reliability.json', 'stage.json'])
    for (const { file, uid, templating, annotations } of dashboards) {
      expect(uid).toBe(`pagestream-${file.replace('.json', '')}`)
      expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'cluster', 'namespace', 'stage', 'lane'])
      expect(annotations).toEqual({ list: [] })
    }
  })

  it.each(dashboards)('asks a question with each panel, says what the answer means and in which unit: $file', ({ panels }) => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { id, type, title, description = '', fieldConfig, targets = [], datasource } of panels) {
      expect(id).toBeGreaterThan(0)
      if (type === 'row') continue
      expect(title).toMatch(/^[A-Z].*\?$/)
      expect(description, title).toMatch(/^.{10,}\.$/)
      expect(fieldConfig?.defaults.unit, title).toMatch(units)
      expect(targets.length, title).toBeGreaterThan(0)
      expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length)
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana
      for (const each of [{ datasource }, ...targets]) expect(each.datasource?.uid, title).toBe('${datasource}')
    }
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
  })

  it.each(dashboards)('has no panel over another: $file', ({ panels }) => {
    const taken = new Set<string>()
    for (const { title, gridPos } of panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        expect(x).toBeLessThan(24)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken, `${title} at ${x} ${y}`).not.toContain(`${x} ${y}`)
          taken.add(`${x} ${y}`)
        }
      }
    }
  })

  it('ask for what workers, backfills and rules give, by labels that it has', () => {
    expect(panelQueries.map(({ where, expr }) => [where, unknownIn(expr)]).filter(([, unknown]) => unknown?.length)).toEqual([])
    expect(unknownIn('sum by (lane, stge) (rate(pagestream_pages_totl{lane="live"}[5m])) / pagestream_up{stage="layout"}')).toEqual([
      'pagestream_pages_totl',
      'pagestream_up{stage}',
      'lane',
      'stge',
    ])
  })

  it.each(dashboards)('declares every variable that its queries use: $file', ({ panels, templating }) => {
    const declared = templating.list.map(({ name }) => name)
    const queries = [...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)), ...templating.list.map(({ query }) => JSON.stringify(query))]
    for (const query of queries) for (const name of variablesOf(query)) expect(declared, query).toContain(name)
  })

  it.skipIf(promtoolMissing)(`has expressions that Prometheus can parse${promtoolMissing ? ` (needs ${promtoolMissing})` : ''}`, async () => {
    const file = join(await tempFolder(), 'rules.json')
    const check = async (exprs: readonly string[]) => {
      const rules = exprs.map((expr, i) => ({ record: `checked_${i}`, expr: filledIn(expr) }))
      await writeFile(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
      return promtool('check', 'rules', '--lint=none', file)
    }
    expect(await check(panelQueries.map(({ expr }) => expr))).toMatchObject({ ok: true })
    expect(await check(['sum(rate(pagestream_pages_total[$__rate_interval])'])).toMatchObject({ ok: false })
  })
})
