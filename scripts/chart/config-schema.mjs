// The configuration schema as the chart takes it: without what the chart itself decides.
import { z } from 'zod'
import { configSchema } from '../../dist/config/config.js'

/** Keys that say where files lie, which port is listened on and how the model is reached; nobody sets them twice. */
const ownKeys = [
  ...['device', 'worker.host', 'worker.port', 'models.directory', 'inputs.passwordsFile'],
  ...['kafka.tls.caFile', 'kafka.tls.certFile', 'kafka.tls.keyFile', 'kafka.sasl.passwordFile', 'kafka.sasl.tokenFile'],
  ...['vlm.engine.urls', 'vlm.engine.managed', 'vlm.engine.apiKeyFile'],
]

/** Keys that may differ from worker to worker: they decide speed and no result. */
const tuningKeys = ['workers', 'window', 'worker', 'models.providers']

function without(schema, path) {
  const [key, ...rest] = path.split('.')
  if (!schema.properties?.[key]) throw new Error(`the configuration has no key ${path}`)
  if (rest.length > 0) without(schema.properties[key], rest.join('.'))
  else delete schema.properties[key]
}

function only(schema, path) {
  const [key, ...rest] = path.split('.')
  const child = schema.properties?.[key]
  if (!child) throw new Error(`the configuration has no key ${path}`)
  const properties = { [key]: rest.length > 0 ? only(child, rest.join('.')) : child }
  return { type: 'object', properties, additionalProperties: false }
}

/** Defaults stand in docs/config.md, and what a number can hold at most says nothing. */
const plain = (key, value) => (key === 'default' || (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ? undefined : value)

export function chartConfigSchema() {
  const { $schema: _, ...schema } = JSON.parse(JSON.stringify(z.toJSONSchema(configSchema, { io: 'input' }), plain))
  for (const key of ownKeys) without(schema, key)
  return schema
}

export function tuningSchema() {
  const schema = chartConfigSchema()
  const parts = tuningKeys.map((key) => only(schema, key))
  return { type: 'object', properties: Object.assign({}, ...parts.map(({ properties }) => properties)), additionalProperties: false }
}
