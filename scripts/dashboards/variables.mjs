// What every dashboard can be narrowed by, and how its queries say so.
import { DatasourceVariableBuilder, QueryVariableBuilder, VariableRefresh, VariableSort } from '@grafana/grafana-foundation-sdk/dashboard'

// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana
export const datasource = { type: 'prometheus', uid: '${datasource}' }

/** Matchers of all queries; series of a Prometheus that knows no clusters or namespaces have no such label, which `.*` takes too. */
export const place = 'cluster=~"$cluster", namespace=~"$namespace"'
export const ofLane = `${place}, lane=~"$lane"`
export const ofStage = `${place}, stage=~"$stage", lane=~"$lane"`

const choice = (name, label, query) =>
  new QueryVariableBuilder(name)
    .label(label)
    .query({ query, refId: name })
    .datasource(datasource)
    .multi(true)
    .includeAll(true)
    .allValue('.*')
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc)
    .current({ selected: true, text: ['All'], value: ['$__all'] })

export const variables = () => [
  new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'),
  choice('cluster', 'Cluster', 'label_values(pagestream_process_start_seconds, cluster)'),
  choice('namespace', 'Namespace', 'label_values(pagestream_process_start_seconds{cluster=~"$cluster"}, namespace)'),
  choice('stage', 'Stage', `label_values(pagestream_pages_total{${place}}, stage)`),
  choice('lane', 'Lane', `label_values(pagestream_pages_total{${place}}, lane)`),
]
