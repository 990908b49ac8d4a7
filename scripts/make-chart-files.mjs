// Writes what the Helm chart holds of other places: values.schema.json from the configuration schema and the chart's own, the defaults and topics that
// templates look at, dashboards and rules, the page of `helm test`. `--check` only compares.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { configSchema } from '../dist/config/config.js'
import { workTopics } from '../dist/consumers/kafka/topic-names.js'
import { stageNames } from '../dist/schema/stage.js'
import { chartConfigSchema, tuningSchema } from './chart/config-schema.mjs'
import { valuesSchema } from './chart/values-schema.mjs'
import { removeStale, writeGenerated } from './generated-file.mjs'

const chart = 'deploy/helm/pagestream'
const root = fileURLToPath(new URL('..', import.meta.url))
const json = (value) => `${JSON.stringify(value, undefined, 2)}\n`

/** Zod writes these two where they are mentioned; each is said once, under `$defs`. */
const config = z.unknown().meta({ id: 'config' })
const tuning = z.unknown().meta({ id: 'tuning' })
const schema = z.toJSONSchema(valuesSchema({ stageNames, config, tuning }), { io: 'input', target: 'draft-7', reused: 'ref' })
Object.assign(schema.definitions, { config: chartConfigSchema(), tuning: tuningSchema() })
writeGenerated(`${chart}/values.schema.json`, json({ ...schema, title: 'Values of the chart pagestream' }))

const topics = Object.fromEntries(stageNames.map((stage, index) => [stage, `${workTopics[index]}.v1`]))
writeGenerated(`${chart}/files/defaults.json`, json({ topics, config: configSchema.parse({}) }))

writeGenerated(`${chart}/files/page.pdf`, readFileSync(`${root}samples/garbage-text-layer.pdf`))

for (const [from, to, ending] of [
  ['grafana/dashboards', 'files/dashboards', '.json'],
  ['grafana/rules', 'files/rules', '.yaml'],
]) {
  const names = existsSync(`${root}${from}`) ? readdirSync(`${root}${from}`).filter((name) => name.endsWith(ending)) : []
  for (const name of names) writeGenerated(`${chart}/${to}/${name}`, readFileSync(`${root}${from}/${name}`, 'utf8'))
  removeStale(`${chart}/${to}`, names)
}
