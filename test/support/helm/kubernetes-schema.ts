import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { packageRoot } from '../../../src/config/package-root.ts'
import type { Manifest } from './manifest.ts'

type Schema = Readonly<Record<string, unknown>>

interface BuiltIn {
  readonly kinds: Readonly<Record<string, string>>
  readonly definitions: Readonly<Record<string, Schema>>
}

interface Definition {
  readonly spec: {
    readonly group: string
    readonly names: { readonly kind: string }
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[]
  }
}

const folder = join(packageRoot(), 'test/fixtures/kubernetes')
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown

/** Definitions of what is no part of Kubernetes, as a cluster takes them. */
export const customDefinitions = (): unknown[] => readdirSync(folder).flatMap((name) => (/^[a-z]+\..*_.*\.json$/.test(name) ? [read(name)] : []))

/**
 * OpenAPI as Kubernetes writes it → JSON Schema that refuses keys that nobody knows. Within anyOf and the like only parts of an object stand,
 * so there other keys are let through.
 */
function strict(schema: unknown, isPart = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => strict(each, isPart))
  if (typeof schema !== 'object' || schema === null) return schema
  const given = schema as Schema
  const entries = Object.entries(given).map(([key, value]): [string, unknown] => {
    if (key === 'properties') return [key, Object.fromEntries(Object.entries(value as Schema).map(([name, child]) => [name, strict(child)]))]
    return [key, strict(value, ['allOf', 'anyOf', 'oneOf', 'not'].includes(key))]
  })
  const made: Record<string, unknown> = Object.fromEntries(entries)
  const isOpen = isPart || 'additionalProperties' in given || given['x-kubernetes-preserve-unknown-fields'] === true
  if (given.properties && !isOpen) made.additionalProperties = false
  if (given['x-kubernetes-int-or-string'] === true || given.format === 'int-or-string') {
    delete made.type
    made.anyOf = [{ type: 'integer' }, { type: 'string' }]
  }
  if (given.nullable === true && typeof given.type === 'string') made.type = [given.type, 'null']
  return made
}

/** Objects' own metadata is anything in custom definitions, and a list of known keys in Kubernetes. */
function validators(): ReadonlyMap<string, ValidateFunction> {
  const { kinds, definitions } = read('kubernetes.json') as BuiltIn
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, code: { regExp: Object.assign(patternOf, { code: 'patternOf' }) } })
  ajv.addSchema({ $id: 'kubernetes', definitions: strictDefinitions(definitions) })
  const found = new Map(Object.entries(kinds).map(([kind, name]) => [kind, ajv.compile({ $ref: `kubernetes#/definitions/${name}` })]))
  for (const { spec } of customDefinitions() as Definition[]) {
    for (const { name, schema } of spec.versions) {
      const whole = strict({ ...schema.openAPIV3Schema, required: ['apiVersion', 'kind', 'metadata', 'spec'] })
      found.set(`${spec.group}/${name}/${spec.names.kind}`, ajv.compile(whole as object))
    }
  }
  return found
}

/** One definition is of a quantity, text or number; the others refer to it. */
function strictDefinitions(definitions: BuiltIn['definitions']): Record<string, unknown> {
  const made = Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, strict(schema)]))
  return { ...made, 'io.k8s.apimachinery.pkg.api.resource.Quantity': { anyOf: [{ type: 'string' }, { type: 'number' }] } }
}

/** Go writes "ignore case" into a pattern. */
function patternOf(pattern: string, flags: string): RegExp {
  return pattern.includes('(?i)') ? new RegExp(pattern.replace('(?i)', ''), `${flags}i`) : new RegExp(pattern, flags)
}

let made: ReadonlyMap<string, ValidateFunction> | undefined

/** What Kubernetes, KEDA or the Prometheus operator would not take in a manifest, each with its place; empty where all is well. */
export function faultsOf(manifest: Manifest): string[] {
  made ??= validators()
  const name = `${manifest.kind} ${manifest.metadata.name}`
  const validate = made.get(`${manifest.apiVersion}/${manifest.kind}`)
  if (!validate) return [`${name}: no schema of ${manifest.apiVersion}/${manifest.kind}`]
  if (validate(manifest)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) => `${name}: ${instancePath} ${message} ${JSON.stringify(params)}`)
}
