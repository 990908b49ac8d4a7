import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { topicSchemas } from '../../../src/schema/topics.ts'

const require = createRequire(import.meta.url)
const docs = new URL('../../../docs/', import.meta.url)
const document = JSON.parse(await readFile(new URL('asyncapi.json', docs), 'utf8'))

/** Every value of `$ref` in it. */
const refsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, part]) => (name === '$ref' && typeof part === 'string' ? [part] : refsIn(part)))

const find = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<Record<string, never> | undefined>((at, name) => at?.[name], document)

it('docs/asyncapi.json keeps the schema of AsyncAPI 3', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
  const validate = ajv.compile(require('@asyncapi/specs/schemas/3.0.0-without-$id.json'))
  validate(document)
  expect(validate.errors ?? []).toEqual([])
})

it('docs/asyncapi.json refers only to what it holds', () => {
  const refs = refsIn(document)
  expect(refs.length).toBeGreaterThan(0)
  expect(refs.filter((ref) => !ref.startsWith('#/') || find(ref) === undefined)).toEqual([])
})

it('docs/topics.md and docs/asyncapi.json name every topic', async () => {
  const page = await readFile(new URL('topics.md', docs), 'utf8')
  for (const topic of Object.keys(topicSchemas)) {
    expect(page).toContain(`| \`${topic}\` |`)
    expect(document.channels).toHaveProperty(topic.replaceAll('.', '-'))
  }
})
