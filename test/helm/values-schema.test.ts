import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { chartFolder, describeHelm, presets, render } from '../support/helm/chart.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly definitions?: Readonly<Record<string, Schema>>
}

const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as Schema
const values = parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8')) as Record<string, unknown>
const resolved = (part: Schema): Schema => (part.$ref ? resolved(schema.definitions?.[part.$ref.split('/').at(-1) ?? ''] ?? {}) : part)

/** Keys of the schema that values.yaml does not show. */
function unshown(part: Schema, value: unknown, path = ''): string[] {
  const { properties } = resolved(part)
  if (!properties || typeof value !== 'object' || value === null) return []
  return Object.entries(properties).flatMap(([key, child]) => {
    const here = path === '' ? key : `${path}.${key}`
    if (!Object.hasOwn(value, key)) return [here]
    return unshown(child, (value as Record<string, unknown>)[key], here)
  })
}

/** Shown where they are of use: in part only, or by no default. */
const notShown = (path: string) => path === 'global' || /^config\.|\.tuning\.|\.(?:live|bulk)\.|\.resources\.|\.claims$|server\.image\.pullPolicy/.test(path)

it('values.yaml shows every key that the schema knows, and no other', () => {
  expect(unshown(schema, values).filter((path) => !notShown(path))).toEqual([])
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema)
  expect(validate(values), JSON.stringify(validate.errors)).toBe(true)
  for (const name of presets) expect(validate(parse(readFileSync(join(chartFolder, name), 'utf8'))), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true)
})

describeHelm('the schema of the values', () => {
  it.each<[string, object, readonly string[]]>([
    ['a misspelt key', { replicas: 3 }, ['replicas']],
    ['a misspelt key of the configuration', { config: { render: { dpii: 200 } } }, ['config/render', 'dpii']],
    ['a value of the wrong type', { config: { ocr: true } }, ['config/ocr']],
    ['a value that there is not', { config: { ocr: 'sometimes' } }, ['config/ocr']],
    ['a number out of range', { config: { render: { dpi: 5000 } } }, ['config/render/dpi', '1,200']],
    ['an address without a port', { config: { kafka: { brokers: ['kafka'] } } }, ['config/kafka/brokers/0']],
    ['a port that is the chart’s', { config: { worker: { port: 80 } } }, ['config/worker', 'port']],
    ['a file that is the chart’s', { config: { kafka: { sasl: { passwordFile: '/x' } } } }, ['config/kafka/sasl', 'passwordFile']],
    ['an address that engine.urls is for', { config: { vlm: { engine: { urls: ['http://x'] } } } }, ['config/vlm/engine', 'urls']],
    ['a worker with a misspelt key', { workers: { reader: { replica: 2 } } }, ['workers/reader', 'replica']],
    ['a stage that there is not', { workers: { reader: { stages: ['ocr'] } } }, ['workers/reader/stages/0']],
    ['tuning that decides a result', { workers: { reader: { tuning: { render: { dpi: 100 } } } } }, ['workers/reader/tuning', 'render']],
    ['a window of the wrong type', { workers: { reader: { tuning: { window: { pages: '64' } } } } }, ['workers/reader/tuning/window/pages']],
    ['more than one GPU for a worker', { workers: { reader: { gpu: { count: 2 } } } }, ['workers/reader/gpu/count']],
    ['a resource that is none', { engine: { server: { gpu: { resource: 'gpu' } } } }, ['engine/server/gpu/resource']],
    ['a mode that there is not', { engine: { mode: 'remote' } }, ['engine/mode']],
    ['a digest that is none', { image: { digest: 'latest' } }, ['image/digest']],
    ['a name of a worker that is no label', { workers: { Reader_1: { stages: ['layout'] } } }, ['Reader_1']],
    ['no margin behind the drain', { workers: { reader: { drainMarginSeconds: 0 } } }, ['workers/reader/drainMarginSeconds']],
  ])('refuses %s, and names it', (_, given, parts) => {
    const { status, said } = render({ values: given })
    expect(status).toBe(1)
    for (const part of parts) expect(said.replaceAll('.', '/')).toContain(part)
  })
})
