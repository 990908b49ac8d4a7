// A dashboard of Grafana from a plain description of its rows: what all dashboards share stands here.
import {
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  StackingConfigBuilder,
  VizLegendOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common'
import { DashboardBuilder, DashboardCursorSync, DashboardLinkBuilder, RowBuilder, ThresholdsConfigBuilder } from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus'
import * as stat from '@grafana/grafana-foundation-sdk/stat'
import * as table from '@grafana/grafana-foundation-sdk/table'
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries'
import { datasource, variables } from './variables.mjs'

/**
 * @typedef {object} Panel
 * @property {'stat' | 'timeseries' | 'table'} kind
 * @property {string} title the question that it answers
 * @property {string} description what is measured, and what an answer means
 * @property {string} unit of Grafana
 * @property {readonly (readonly [legend: string, expr: string])[]} queries
 * @property {number} [span] of 24 columns
 * @property {boolean} [stacked]
 * @property {boolean} [exemplars] whether points are shown that lead to traces
 * @property {boolean} [named] whether a stat shows the name of its series and not its value
 * @property {number} [max]
 * @property {readonly (readonly [from: number | null, colour: string])[]} [thresholds]
 */

/** @param {{uid: string, title: string, description: string, rows: readonly {title: string, panels: readonly Panel[]}[]}} dashboard */
export function buildDashboard({ uid, title, description, rows }) {
  const builder = new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['pagestream'])
    .editable()
    .refresh('30s')
    .time({ from: 'now-1h', to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .link(new DashboardLinkBuilder('pagestream').type('dashboards').tags(['pagestream']).asDropdown(true).includeVars(true).keepTime(true))
  for (const variable of variables()) builder.withVariable(variable)
  for (const row of rows) {
    builder.withRow(new RowBuilder(row.title))
    for (const panel of row.panels) builder.withPanel(builtPanel(panel))
  }
  return completed(builder.build())
}

/** What the builders leave out and Grafana wants: ids of panels, a list of annotations; and a place of links that older versions do not know. */
function completed(dashboard) {
  const panels = dashboard.panels.map((panel, index) => ({ ...panel, id: index + 1 }))
  const links = dashboard.links.map(({ placement: _, ...link }) => link)
  return { ...dashboard, annotations: { list: [] }, links, panels }
}

function builtPanel(panel) {
  const { kind, title, description, unit, queries, span = 12, max, thresholds } = panel
  const built = builders[kind](panel).title(title).description(description).unit(unit).datasource(datasource).span(span).height(heights[kind])
  if (max !== undefined) built.max(max)
  if (thresholds) built.thresholds(new ThresholdsConfigBuilder().mode('absolute').steps(thresholds.map(([value, color]) => ({ value, color }))))
  queries.forEach(([legend, expr], index) => {
    built.withTarget(query(panel, legend, expr, index))
  })
  return built
}

const heights = { stat: 4, timeseries: 8, table: 8 }

const builders = {
  stat: ({ named }) => new stat.PanelBuilder().reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull'])).textMode(named ? 'name' : 'auto'),
  table: () => new table.PanelBuilder(),
  timeseries: ({ stacked }) => {
    const legend = new VizLegendOptionsBuilder().showLegend(true).displayMode(LegendDisplayMode.List).placement(LegendPlacement.Bottom)
    const built = new timeseries.PanelBuilder().min(0).fillOpacity(10).legend(legend)
    return stacked ? built.fillOpacity(40).stacking(new StackingConfigBuilder().mode('normal')) : built
  },
}

function query({ kind, exemplars = false }, legend, expr, index) {
  const built = new DataqueryBuilder()
    .expr(expr)
    .legendFormat(legend)
    .refId(String.fromCharCode(65 + index))
    .datasource(datasource)
  if (kind === 'table') return built.instant().format(PromQueryFormat.Table)
  return kind === 'stat' ? built.instant() : built.range().exemplar(exemplars)
}
