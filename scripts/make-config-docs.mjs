// Writes docs/config.md from the configuration schema: one row a key. `--check` only compares.
import { z } from 'zod'
import { configSchema } from '../dist/config/config.js'
import { writeGenerated } from './generated-file.mjs'

const schema = z.toJSONSchema(configSchema, { io: 'input' })
const defaults = configSchema.parse({})

/** `{ a: { properties: { b } } }` → rows `a.b` with their schema. */
function rowsOf(properties, prefix = '') {
  return Object.entries(properties).flatMap(([key, value]) =>
    value.properties ? rowsOf(value.properties, `${prefix}${key}.`) : [{ key: `${prefix}${key}`, schema: value }],
  )
}

const valueAt = (key) => key.split('.').reduce((value, part) => value?.[part], defaults)

function rangeOf({ minimum, maximum, exclusiveMinimum }) {
  const low = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  const high = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (low === undefined || low <= Number.MIN_SAFE_INTEGER) return high === undefined ? '' : `, at most ${high}`
  return high === undefined ? `, at least ${low}` : `, ${low} to ${high}`
}

function typeOf(value) {
  if (value.enum) return value.enum.map((name) => `\`${name}\``).join(', ')
  if (value.type === 'array') return `list of ${typeOf(value.items)}`
  if (value.type === 'integer') return `whole number${rangeOf(value)}`
  if (value.type === 'number') return `number${rangeOf(value)}`
  return { boolean: 'true or false', string: 'text' }[value.type] ?? value.type
}

const lines = [
  '# Configuration',
  '',
  'Every key has a default; a file, the environment and the command line change only what they name, later ones winning in this order. Problems are',
  'reported all together, each with its key, and end the command with exit code 2. Sizes and times name their unit.',
  '',
  '- **File:** JSON, given with `--config FILE` or `PAGESTREAM_CONFIG`.',
  '- **Environment:** `PAGESTREAM_` and the key in capitals, levels joined by two underscores, words by one: `render.viewerDpi` is',
  '  `PAGESTREAM_RENDER__VIEWER_DPI`. Values are read as JSON where they are JSON, else as text; a list of texts',
  '  may also be written with commas between: `PAGESTREAM_KAFKA__BROKERS=one:9092,two:9092`.',
  '- **Command line:** the flags of `pagestream parse --help`.',
  '',
  '<!-- Generated from src/config/config.ts by scripts/make-config-docs.mjs. -->',
  '',
  '| key | value | default | meaning |',
  '| --- | --- | --- | --- |',
  ...rowsOf(schema.properties).map(
    ({ key, schema: value }) => `| \`${key}\` | ${typeOf(value)} | \`${JSON.stringify(valueAt(key))}\` | ${value.description ?? ''} |`,
  ),
  '',
]
writeGenerated('docs/config.md', lines.join('\n'))
