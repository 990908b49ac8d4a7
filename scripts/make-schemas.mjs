// Writes docs/schema/*.json: JSON Schemas (draft 2020-12) of everything that leaves pagestream. `--check` only compares.
import { readdirSync } from 'node:fs'
import { z } from 'zod'
import { chunkSchema } from '../dist/schema/chunk.js'
import { documentBlockSchema, documentSchema } from '../dist/schema/document.js'
import { pageResultSchema } from '../dist/schema/page.js'
import { topicSchemas } from '../dist/schema/topics.js'
import { workerStatusSchema } from '../dist/schema/worker-status.js'
import { writeGenerated } from './generated-file.mjs'

const folder = 'docs/schema'

const files = {
  document: { schema: documentSchema, title: 'document.json' },
  block: { schema: documentBlockSchema, title: 'A line of blocks.jsonl' },
  chunk: { schema: chunkSchema, title: 'A line of chunks.jsonl' },
  'page-result': { schema: pageResultSchema, title: 'The result of one page, as kept in the store' },
  'worker-status': { schema: workerStatusSchema, title: 'What a worker answers under /status' },
  ...Object.fromEntries(Object.entries(topicSchemas).map(([topic, schema]) => [`event.${topic}`, { schema, title: `Event on the topic ${topic}` }])),
}

/** `$schema` first, then the title, so that a reader sees what the file is. Further members are allowed: within a version names are only added. */
function render({ schema, title }) {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`
}

for (const [name, entry] of Object.entries(files)) writeGenerated(`${folder}/${name}.json`, render(entry))

const strangers = readdirSync(new URL(`../${folder}/`, import.meta.url)).filter((file) => !(file.replace(/\.json$/, '') in files))
if (strangers.length > 0) {
  console.error(`${folder} holds files that nothing generates: ${strangers.join(', ')}`)
  process.exitCode = 1
}
